// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! JUnit's XML, which runners of tests (GitHub, GitLab, Jenkins) read.

use std::io::{self, Write};

use crate::printable::printable;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What is tested.
    pub name: String,
    /// What went wrong, in one line and in full, if it did.
    pub failure: Option<(String, String)>,
}

/// Tests that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// The tests.
    pub cases: Vec<Case>,
}

impl Suite {
    /// Writes a document with this suite.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = escape(&self.name);
        let tests = self.cases.len();
        let failures = self.cases.iter().filter(|case| case.failure.is_some()).count();
        let sums = format!(r#"tests="{tests}" failures="{failures}" errors="0""#);
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(out, "<testsuites {sums}>\n<testsuite name=\"{name}\" {sums}>")?;
        for case in &self.cases {
            let test = format!(r#"<testcase classname="{name}" name="{}""#, escape(&case.name));
            match &case.failure {
                None => writeln!(out, "{test}/>")?,
                Some((message, lines)) => {
                    let lines: Vec<String> = lines.lines().map(escape).collect();
                    let message = escape(message);
                    writeln!(out, "{test}><failure message=\"{message}\">{}</failure></testcase>", lines.join("\n"))?;
                }
            }
        }
        writeln!(out, "</testsuite>\n</testsuites>")
    }
}

/// A text on one line with what XML has for itself escaped, and what it cannot hold shown.
fn escape(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_one_document_with_its_sums() {
        let failure = Some(("holds for 1 entry".to_owned(), "a.c:1 func:<A as B>::f\n\"&\x07\"".to_owned()));
        let cases = vec![Case { name: "delta>1M".into(), failure }, Case { name: "total>1G".into(), failure: None }];
        let mut out = Vec::new();
        Suite { name: "alloctag diff".into(), cases }.write(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites tests=\"2\" failures=\"1\" errors=\"0\">\n\
             <testsuite name=\"alloctag diff\" tests=\"2\" failures=\"1\" errors=\"0\">\n\
             <testcase classname=\"alloctag diff\" name=\"delta&gt;1M\"><failure message=\"holds for 1 entry\">\
             a.c:1 func:&lt;A as B&gt;::f\n&quot;&amp;\\u{7}&quot;</failure></testcase>\n\
             <testcase classname=\"alloctag diff\" name=\"total&gt;1G\"/>\n\
             </testsuite>\n</testsuites>\n"
        );
    }
}
