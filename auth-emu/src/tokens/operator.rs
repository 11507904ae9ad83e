//! Credential of programs that the server itself starts.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::entropy::Entropy;

/// Bytes of a secret: 256 bits cannot be guessed.
const SECRET_BYTES: usize = 32;

/// A bearer token that makes its holder an administrator of documents and files, in any mode. It is valid until the
/// process that made it ends, and opens no account.
#[derive(Clone)]
pub struct OperatorToken(Arc<str>);

impl OperatorToken {
    /// A new random token.
    pub fn new(entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; SECRET_BYTES];
        entropy.fill(&mut bytes);
        Self(URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// The token's text, to pass to the program that needs it.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// True if `token` is this one; compares in constant time for tokens of its length.
    pub(crate) fn is(&self, token: &str) -> bool {
        let pairs = self.0.bytes().zip(token.bytes());
        self.0.len() == token.len() && pairs.fold(0, |wrong, (own, theirs)| wrong | (own ^ theirs)) == 0
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken")
    }
}

#[cfg(test)]
mod tests {
    use super::OperatorToken;
    use crate::entropy::SystemEntropy;

    #[test]
    fn only_the_token_itself_is_taken_and_it_is_not_shown() {
        let (one, other) = (OperatorToken::new(&SystemEntropy), OperatorToken::new(&SystemEntropy));
        assert!(one.is(one.secret()));
        let cut = &one.secret()[1..];
        for wrong in [other.secret(), "", "owner", cut] {
            assert!(!one.is(wrong), "{wrong}");
        }
        assert!(!format!("{one:?}").contains(one.secret()));
    }
}
