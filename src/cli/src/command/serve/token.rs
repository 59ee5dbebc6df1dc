// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a client has to know.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use subtle::ConstantTimeEq;

use crate::error::{describe, Error, Result};

/// Bytes that a token has at most.
const LIMIT: u64 = 4096;

/// A bearer token (RFC 6750).
pub(super) struct Token(Vec<u8>);

impl Token {
    /// Reads it from a file, of which it is the only line. With it comes whether others may read that file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or holds no token.
    pub(super) fn load(path: &Path) -> Result<(Token, bool)> {
        let failed = |problem: &str| Error::failed(path.display(), problem);
        let (text, mode) = read(path).map_err(|error| failed(&describe(&error)))?;
        let token = text.trim_end_matches(['\r', '\n']);
        // As RFC 6750 has them, so that none is compared with what no client can send.
        let is_fit = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if token.is_empty() || !token.bytes().all(is_fit) {
            return Err(failed("holds no token: one line of letters, digits and -._~+/="));
        }
        Ok((Token(token.into()), mode & 0o077 != 0))
    }

    /// Whether a field `Authorization` has it. How long that takes tells its length and nothing else.
    pub(super) fn opens(&self, authorization: Option<&str>) -> bool {
        let (scheme, token) = authorization.unwrap_or_default().split_once(' ').unwrap_or_default();
        scheme.eq_ignore_ascii_case("bearer") && bool::from(token.trim().as_bytes().ct_eq(&self.0))
    }
}

fn read(path: &Path) -> io::Result<(String, u32)> {
    let file = File::open(path)?;
    let mode = file.metadata()?.permissions().mode();
    let mut text = String::new();
    file.take(LIMIT).read_to_string(&mut text)?;
    Ok((text, mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_token_opens_and_nothing_else_does() {
        let token = Token(b"s3cret".to_vec());
        for (field, expected) in [
            (Some("Bearer s3cret"), true),
            (Some("bearer  s3cret "), true),
            (Some("Bearer s3cre"), false),
            (Some("Bearer s3cretx"), false),
            (Some("Bearer"), false),
            (Some("Basic s3cret"), false),
            (Some("s3cret"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(token.opens(field), expected, "{field:?}");
        }
    }

    #[test]
    fn a_file_holds_one_token_or_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        for (text, expected) in
            [("s3cret\n", true), ("a.b_c~d+e/f==", true), ("", false), ("\n", false), ("two words", false)]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(Token::load(&path).is_ok(), expected, "{text:?}");
        }
        fs::write(&path, "s3cret\n").unwrap();
        for (mode, told) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(Token::load(&path).unwrap().1, told, "{mode:o}");
        }
        assert!(Token::load(&directory.path().join("no")).is_err());
    }
}
