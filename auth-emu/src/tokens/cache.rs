//! Cache of verified tokens, so that a busy client costs one signature check an hour.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use super::Claims;

/// Verified tokens kept; each takes about 2 KiB.
const MAX_REMEMBERED: usize = 4_096;

/// Claims by the SHA-256 of the whole token. Holds only verified tokens; times are checked at each use.
#[derive(Debug, Default)]
pub(super) struct VerifiedTokens(Mutex<HashMap<[u8; 32], Arc<Claims>>>);

impl VerifiedTokens {
    pub(super) fn get(&self, token: &str) -> Option<Arc<Claims>> {
        self.0.lock().get(&digest(token)).cloned()
    }

    pub(super) fn insert(&self, token: &str, claims: Claims) -> Arc<Claims> {
        let claims = Arc::new(claims);
        let mut map = self.0.lock();
        if map.len() >= MAX_REMEMBERED {
            map.clear();
        }
        map.insert(digest(token), Arc::clone(&claims));
        claims
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
