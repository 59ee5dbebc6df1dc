// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag serve`: an endpoint for Prometheus to scrape.

mod deadline;
mod handed;
pub mod http;
#[cfg(feature = "tls")]
mod tls;
#[cfg(not(feature = "tls"))]
#[path = "serve/no_tls.rs"]
mod tls;
mod token;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::export::SERIES;
use super::{meant, require_times, Context};
use crate::args::choice::Choosing;
use crate::args::input::InputArgs;
use crate::args::view::FilterArgs;
use crate::error::{describe, Error, Outcome, Result};
use crate::export::openmetrics;
use crate::model::Names;
use crate::source::{self, Input, Request};
use crate::subsystem::Subsystems;
use crate::time::Clock;
use crate::view::{Group, View};
use http::{Reply, Server, Status};
use tls::Tls;
use token::Token;

/// Options of `serve`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag serve                                 http://127.0.0.1:9797/metrics, series by subsystem
  alloctag serve -g dir:2 -n 100                 by directory, at most 100 series
  alloctag serve --listen localhost:9797         the same address by its name
  alloctag serve --listen '[::1]:9797'           another address
  alloctag serve /var/lib/alloctag               the latest snapshot of a recording, at each scrape
  alloctag serve saved.txt --listen 127.0.0.1:0  a saved profile, on a port that is free
  alloctag serve --listen 0.0.0.0:9797 --token-file token --tls-cert cert.pem --tls-key key.pem")]
pub struct ServeArgs {
    /// What to read, anew for each scrape.
    #[command(flatten)]
    pub input: InputArgs,
    /// Which rows.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Add rows up by site, func, file, dir, dir:DEPTH, module or subsystem
    #[arg(short, long, value_name = "GROUP", value_parser = Choosing::<Group>::new(), hide_possible_values = true, default_value = "subsystem", help_heading = "Selection")]
    pub group: Group,
    /// At most N series of each metric; the others are added up in one
    #[arg(short = 'n', long, value_name = "N", default_value_t = SERIES, help_heading = "Selection")]
    pub limit: usize,
    /// Serve histograms of how long allocations took and lived, too, by what -g says. Each has 42 series, of stalls for every cause
    #[arg(long, help_heading = "Selection")]
    pub histograms: bool,
    /// Where to listen: only this machine reaches the default. A socket of systemd's goes before it
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9797", help_heading = "Output")]
    pub listen: Listen,
    /// Answer only those who send the token in FILE (Authorization: Bearer TOKEN)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub token_file: Option<PathBuf>,
    /// Speak TLS: the server's certificate, those of who vouches for it behind it, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Output")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's key, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Output")]
    pub tls_key: Option<PathBuf>,
}

/// Where to listen: the first of these addresses that can be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen(Vec<SocketAddr>);

impl FromStr for Listen {
    type Err = String;

    /// Other names than `localhost`, which RFC 6761 gives a meaning, are left to whoever knows the network: a static program
    /// can look up none.
    fn from_str(text: &str) -> std::result::Result<Listen, String> {
        let local = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
        let addresses = match local {
            Some(port) => Some(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]),
            None => text.parse().ok().map(|address| vec![address]),
        };
        let problem = || "no address and port such as 127.0.0.1:9797, [::1]:9797 or localhost:9797".to_owned();
        addresses.map(Listen).ok_or_else(problem)
    }
}

/// What every scrape is made with.
struct Scrape {
    request: Request,
    view: View,
    subsystems: Subsystems,
    clock: Clock,
}

/// Runs the command: answers until the process is ended.
///
/// # Errors
///
/// If options do not go together, nothing can be read now, or the address cannot be had.
pub fn run(args: &ServeArgs, context: &mut Context<'_>) -> Result<Outcome> {
    // Before any file is opened, which might get its number.
    let handed = handed::listener()?;
    if args.limit == 0 {
        return Err(Error::Usage("-n 0: nothing would be served".to_owned()));
    }
    let subsystems = args.filter.subsystems()?;
    let condition = args.filter.condition(&subsystems)?;
    // Metrics count all call sites that the kernel lists, whatever the condition is.
    let request = Request { timings: args.histograms, ..args.input.resolve(&context.global, None) };
    if request.input == Input::Stdin {
        return Err(Error::Usage("standard input can be read once only; serve reads for every scrape".to_owned()));
    }
    let view = View { condition, group: args.group, limit: Some(args.limit), ..View::default() };
    let scrape = Scrape { request, view, subsystems, clock: context.clock.clone() };
    let token = match &args.token_file {
        Some(path) => {
            let (token, is_open) = Token::load(path)?;
            if is_open {
                context.note(format_args!("{}: others may read the token; chmod 600 keeps it", path.display()));
            }
            Some(token)
        }
        None => None,
    };
    let tls = args.tls_cert.as_ref().zip(args.tls_key.as_ref());
    let tls = tls.map(|(certificates, key)| Tls::load(certificates, key)).transpose()?;
    // What does not work at all is better said now than to whoever scrapes.
    scrape.metrics()?;

    let Listen(addresses) = &args.listen;
    let failed = |error: std::io::Error| Error::failed(addresses[0], describe(&error));
    let listener = match handed {
        Some(listener) => listener,
        None => TcpListener::bind(&addresses[..]).map_err(failed)?,
    };
    let address = listener.local_addr().map_err(failed)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    if let Some(missing) = missing(token.is_some(), tls.is_some()).filter(|_| !address.ip().is_loopback()) {
        context.note(format_args!("{address}: whoever reaches this address {missing}"));
    }
    writeln!(context.out, "{scheme}://{address}/metrics")?;
    context.out.flush()?;
    Server { reply: |path: &str| scrape.answer(path), token, tls }.serve(&listener);
    Ok(Outcome::Done)
}

/// What others can do, as a server that lacks protection has to say.
fn missing(token: bool, tls: bool) -> Option<&'static str> {
    match (token, tls) {
        (true, true) => None,
        (false, _) => Some("sees where the kernel holds memory; --token-file asks who it is"),
        (true, false) => Some("or listens on the way can read the token; --tls-cert hides it"),
    }
}

impl Scrape {
    fn metrics(&self) -> Result<Vec<u8>> {
        // Of a recording it is another snapshot each time.
        let profile = source::read(&meant(&self.request, &self.clock)?, &mut Names::new())?;
        let mut body = Vec::new();
        if self.request.timings {
            require_times(&profile)?;
        }
        openmetrics::write(&profile, &self.view, self.request.timings, &self.subsystems, &mut body)?;
        Ok(body)
    }

    fn answer(&self, path: &str) -> Reply {
        match path {
            "/metrics" => match self.metrics() {
                Ok(body) => Reply { status: Status::Ok, media_type: openmetrics::MEDIA_TYPE, body },
                Err(error) => Reply::text(Status::Failed, &format!("{error}\n")),
            },
            "/" => Reply::text(Status::Ok, "alloctag: see /metrics\n"),
            _ => Reply::text(Status::NotFound, "there is only /metrics\n"),
        }
    }
}
