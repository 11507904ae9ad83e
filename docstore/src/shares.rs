//! Fair shares: how many of something one caller may hold at once, so that nobody takes what is there for all.
//!
//! Who holds how many is behind the trait [`Shares`]: one server counts for itself ([`LocalShares`]); several may count
//! together.

use std::collections::HashMap;
use std::fmt::{self, Debug, Display};
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::access::Caller;
use crate::{Code, Error, Result};

/// Streams of queries and writes that one account may have open at once: two for each tab of a browser.
pub const MAX_STREAMS_PER_ACCOUNT: usize = 32;

/// Those that callers who have not signed in may have open from one address.
pub const MAX_GUEST_STREAMS_PER_ADDRESS: usize = 32;

/// Those of everybody at one address: a school class shares one, and each in it has an account.
pub const MAX_STREAMS_PER_ADDRESS: usize = 256;

/// Holder and kind of a share: `connections of 192.0.2.7`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Holder {
    what: &'static str,
    who: String,
}

impl Holder {
    /// `who`, as far as `what` is counted.
    pub fn new(what: &'static str, who: impl Display) -> Self {
        Self { what, who: who.to_string() }
    }

    /// Whoever is at `address`: an IPv6 customer has a whole /64.
    pub fn at(what: &'static str, address: IpAddr) -> Self {
        Self::new(what, network_of(address))
    }
}

impl Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {}", self.what, self.who)
    }
}

/// Counts who holds how many. An implementation for several servers answers at once, from what it last heard of the
/// others.
pub trait Shares: Debug + Send + Sync {
    /// Takes one for `holder`, unless it has `most` already.
    fn take(&self, holder: &Holder, most: usize) -> bool;

    /// Gives one back that was taken.
    fn give_back(&self, holder: &Holder);
}

/// Counts for one server.
#[derive(Debug, Default)]
pub struct LocalShares(Mutex<HashMap<Holder, usize>>);

impl Shares for LocalShares {
    fn take(&self, holder: &Holder, most: usize) -> bool {
        let mut held = self.0.lock();
        let count = held.get(holder).copied().unwrap_or_default();
        let fits = count < most;
        if fits {
            held.insert(holder.clone(), count + 1);
        }
        fits
    }

    fn give_back(&self, holder: &Holder) {
        let mut held = self.0.lock();
        match held.get_mut(holder) {
            Some(count) if *count > 1 => *count -= 1,
            // Nobody is remembered who holds nothing.
            _ => drop(held.remove(holder)),
        }
    }
}

/// One of what a holder may have. Dropping it gives it back.
#[derive(Debug)]
pub struct Share {
    shares: Arc<dyn Shares>,
    holder: Holder,
}

impl Share {
    /// Takes one for `holder`.
    ///
    /// # Errors
    /// `ResourceExhausted`, where it has `most` already; `advice` says what to do.
    pub fn take(shares: &Arc<dyn Shares>, holder: Holder, most: usize, advice: &str) -> Result<Self> {
        if shares.take(&holder, most) {
            return Ok(Self { shares: Arc::clone(shares), holder });
        }
        tracing::debug!(%holder, most, "a share is used up");
        let message = format!("{most} {} are open, which is the most: {advice}", holder.what);
        Err(Error::new(Code::ResourceExhausted, "ShareUsedUp", message))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.give_back(&self.holder);
    }
}

/// Holder of a request's streams. As an extension of the request it limits them; without it there is no limit.
#[derive(Debug, Clone)]
pub struct StreamHolder {
    shares: Arc<dyn Shares>,
    address: Option<IpAddr>,
    /// True if the stream counts among those of the address.
    has_place: bool,
}

impl StreamHolder {
    /// Somebody at `address`; `None` for an address that is not limited, such as a proxy's own.
    pub fn new(shares: Arc<dyn Shares>, address: Option<IpAddr>) -> Self {
        Self { shares, address, has_place: false }
    }

    /// The same, for a stream that has its place among those of the address.
    #[must_use]
    pub fn with_place(self) -> Self {
        Self { has_place: true, ..self }
    }

    /// A place among the streams of the address.
    ///
    /// # Errors
    /// `ResourceExhausted`
    pub fn of_address(&self) -> Result<Option<Share>> {
        let take = |address| {
            let holder = Holder::at("streams of one address", address);
            let advice = "close other tabs, or try again in a minute";
            Share::take(&self.shares, holder, MAX_STREAMS_PER_ADDRESS, advice)
        };
        self.address.filter(|_| !self.has_place).map(take).transpose()
    }

    /// A place among the streams of an account of `project`; for callers without one, among theirs of the address.
    ///
    /// # Errors
    /// `ResourceExhausted`
    pub fn of_caller(&self, project: &str, caller: &Caller) -> Result<Option<Share>> {
        match (caller, self.address) {
            (Caller::User(auth), _) => {
                let holder = Holder::new("streams of one account", format_args!("{project}/{}", auth.uid));
                let advice = "close tabs in which this account is signed in";
                Share::take(&self.shares, holder, MAX_STREAMS_PER_ACCOUNT, advice).map(Some)
            }
            (Caller::Anonymous, Some(address)) => {
                let holder = Holder::at("streams without an account from one address", address);
                let advice = "sign in, or close other tabs";
                Share::take(&self.shares, holder, MAX_GUEST_STREAMS_PER_ADDRESS, advice).map(Some)
            }
            (Caller::Anonymous | Caller::Admin, _) => Ok(None),
        }
    }
}

/// The network that counts as one caller: an IPv4 address, or the first half of an IPv6 one.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into()),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::access::Auth;

    fn local() -> (Arc<LocalShares>, Arc<dyn Shares>) {
        let local = Arc::new(LocalShares::default());
        (local.clone(), local)
    }

    proptest! {
        /// Nobody has more than the most, everybody gets what is left of the own share, and nothing is remembered of
        /// who holds nothing.
        #[test]
        fn everybody_has_a_share_of_its_own(steps in prop::collection::vec((0_usize..4, any::<bool>()), 0..200)) {
            const MOST: usize = 3;
            let (local, shares) = local();
            let mut held: Vec<Vec<Share>> = (0..4).map(|_| Vec::new()).collect();
            for (who, takes) in steps {
                if takes {
                    let share = Share::take(&shares, Holder::new("things", who), MOST, "wait");
                    prop_assert_eq!(share.is_ok(), held[who].len() < MOST);
                    held[who].extend(share);
                } else {
                    held[who].pop();
                }
            }
            let holders = held.iter().filter(|shares| !shares.is_empty()).count();
            prop_assert_eq!(local.0.lock().len(), holders);
            drop(held);
            prop_assert!(local.0.lock().is_empty());
        }
    }

    #[test]
    fn streams_count_for_the_account_or_else_for_the_address() {
        let (_, shares) = local();
        let at = |address: &str| StreamHolder::new(shares.clone(), Some(address.parse().unwrap()));
        let user = |uid: &str| Caller::User(Auth { uid: uid.to_owned(), token: serde_json::Value::Null });
        let all: Vec<_> = (0..32)
            .map(|nth| at(&format!("192.0.2.{nth}")).of_caller("demo", &user("ada")).unwrap())
            .collect();
        let refused = at("192.0.2.99").of_caller("demo", &user("ada")).unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        assert_eq!(
            refused.message(),
            "32 streams of one account are open, which is the most: close tabs in which this account is signed in"
        );
        assert!(at("192.0.2.99").of_caller("other", &user("ada")).unwrap().is_some());
        let guests: Vec<_> =
            (0..32).map(|_| at("192.0.2.1").of_caller("demo", &Caller::Anonymous).unwrap()).collect();
        assert!(at("192.0.2.1").of_caller("demo", &Caller::Anonymous).is_err());
        assert!(at("192.0.2.1").of_caller("demo", &user("bob")).unwrap().is_some());
        drop((all, guests));
        assert!(at("192.0.2.1").of_caller("demo", &Caller::Anonymous).is_ok());
        assert!(at("192.0.2.99").of_caller("demo", &user("ada")).is_ok());
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let [a, b, c] = ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"]
            .map(|address| network_of(address.parse().unwrap()));
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(network_of("::ffff:192.0.2.1".parse().unwrap()), "192.0.2.1".parse::<IpAddr>().unwrap());
    }
}
