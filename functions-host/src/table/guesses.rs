//! Limits on guesses of codes. A code is one of 31⁶; whoever types one wrongly tries again, and whoever runs through them
//! does not come far.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use docstore::model::Ts;
use docstore::shares::network_of;
use parking_lot::Mutex;

use super::limits::{
    GUESS_WINDOW, GUESSED_FROM, JOINS_OF_ADDRESS, WRONG_CODES_IN_ALL, WRONG_CODES_OF_ADDRESS,
};

/// Times of one address within the last minute.
#[derive(Debug, Default)]
struct Tries {
    wrong: VecDeque<Ts>,
    joined: VecDeque<Ts>,
}

#[derive(Debug, Default)]
struct Counts {
    addresses: HashMap<IpAddr, Tries>,
    wrong: VecDeque<Ts>,
}

impl Counts {
    /// True if an address can be counted; those of which nothing is left make room.
    fn has_room_for(&mut self, address: IpAddr, now: Ts) -> bool {
        if self.addresses.len() >= GUESSED_FROM && !self.addresses.contains_key(&address) {
            self.addresses.retain(|_, tries| {
                forget_old(&mut tries.wrong, now);
                forget_old(&mut tries.joined, now);
                !tries.wrong.is_empty() || !tries.joined.is_empty()
            });
        }
        self.addresses.len() < GUESSED_FROM || self.addresses.contains_key(&address)
    }
}

/// See the module's description.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<Counts>);

/// A try, which counts as wrong until it is known to be right.
#[derive(Debug)]
#[must_use]
pub struct Try {
    who: Option<IpAddr>,
    at: Ts,
    /// True if so many wrong codes were given everywhere that whoever gives a right one waits for the host.
    pub waits: bool,
}

fn forget_old(times: &mut VecDeque<Ts>, now: Ts) {
    let window = u64::try_from(GUESS_WINDOW.as_micros()).unwrap_or(u64::MAX);
    while times.front().is_some_and(|at| now.micros().saturating_sub(at.micros()) >= window) {
        times.pop_front();
    }
}

impl Guesses {
    /// Begins a try from `address`; `None` where only a proxy's address is known, which has no limit of its own.
    /// `None` is returned if the address has given as many wrong codes as it may.
    pub fn begin(&self, address: Option<IpAddr>, now: Ts) -> Option<Try> {
        let mut who = address.map(network_of);
        let mut counts = self.0.lock();
        forget_old(&mut counts.wrong, now);
        let mut waits = counts.wrong.len() >= WRONG_CODES_IN_ALL;
        if who.is_some_and(|address| !counts.has_room_for(address, now)) {
            // It cannot be counted, so it is not refused, and waits.
            (who, waits) = (None, true);
        }
        if let Some(address) = who {
            let tries = counts.addresses.entry(address).or_default();
            forget_old(&mut tries.wrong, now);
            if tries.wrong.len() >= WRONG_CODES_OF_ADDRESS {
                return None;
            }
            tries.wrong.push_back(now);
        }
        // Beyond what decides, nothing is counted.
        if !waits {
            counts.wrong.push_back(now);
        }
        Some(Try { who, at: now, waits })
    }

    /// Notes that the code of a try was right.
    pub fn was_right(&self, tried: &Try) {
        let mut counts = self.0.lock();
        let take_back = |times: &mut VecDeque<Ts>| {
            if let Some(nth) = times.iter().rposition(|at| *at == tried.at) {
                times.remove(nth);
            }
        };
        if !tried.waits {
            take_back(&mut counts.wrong);
        }
        if let Some(tries) = tried.who.and_then(|who| counts.addresses.get_mut(&who)) {
            take_back(&mut tries.wrong);
        }
    }

    /// Counts an account that is made for somebody at the address of a try. False if it has as many as it may.
    pub fn may_make_account(&self, tried: &Try) -> bool {
        self.may_make_account_at(tried.who, tried.at)
    }

    /// The same for somebody who needs no code.
    pub fn may_make_account_at(&self, address: Option<IpAddr>, now: Ts) -> bool {
        let Some(who) = address.map(network_of) else { return true };
        let mut counts = self.0.lock();
        if !counts.has_room_for(who, now) {
            return true;
        }
        let joined = &mut counts.addresses.entry(who).or_default().joined;
        forget_old(joined, now);
        let may = joined.len() < JOINS_OF_ADDRESS;
        if may {
            joined.push_back(now);
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const MINUTE: u64 = 60_000_000;

    fn at(micros: u64) -> Ts {
        Ts::from_micros(1_000_000_000 + micros)
    }

    fn home(nth: u8) -> Option<IpAddr> {
        Some(Ipv4Addr::new(192, 0, 2, nth).into())
    }

    #[test]
    fn an_address_gives_ten_wrong_codes_a_minute() {
        let guesses = Guesses::default();
        for nth in 0..WRONG_CODES_OF_ADDRESS as u64 {
            assert!(guesses.begin(home(1), at(nth)).is_some());
        }
        assert!(guesses.begin(home(1), at(20)).is_none());
        assert!(guesses.begin(home(1), at(MINUTE - 1)).is_none());
        assert!(guesses.begin(home(2), at(20)).is_some(), "others go on");
        // The first is a minute old, and makes room for one.
        assert!(guesses.begin(home(1), at(MINUTE)).is_some());
        assert!(guesses.begin(home(1), at(MINUTE)).is_none());
    }

    #[test]
    fn right_codes_count_for_nothing() {
        let guesses = Guesses::default();
        for nth in 0..500 {
            let tried = guesses.begin(home(1), at(nth)).unwrap();
            assert!(!tried.waits);
            guesses.was_right(&tried);
        }
    }

    #[test]
    fn above_sixty_a_minute_in_all_nobody_is_refused_and_everybody_waits() {
        let guesses = Guesses::default();
        for nth in 0..WRONG_CODES_IN_ALL {
            let tried = guesses.begin(home((nth / 6) as u8), at(nth as u64)).unwrap();
            assert!(!tried.waits, "{nth}");
        }
        for nth in 100..140 {
            let tried = guesses.begin(home(nth), at(1_000)).unwrap();
            assert!(tried.waits);
            guesses.was_right(&tried);
        }
        assert!(guesses.begin(None, at(1_000)).unwrap().waits);
        assert!(!guesses.begin(home(200), at(MINUTE + 1_000)).unwrap().waits);
    }

    #[test]
    fn an_address_has_so_many_accounts_made_for_it_a_minute() {
        let guesses = Guesses::default();
        let ask = |now| {
            let tried = guesses.begin(home(1), now).unwrap();
            guesses.was_right(&tried);
            guesses.may_make_account(&tried)
        };
        for nth in 0..JOINS_OF_ADDRESS as u64 {
            assert!(ask(at(nth)));
        }
        assert!(!ask(at(1_000)));
        assert!(ask(at(MINUTE + 1_000)));
    }
}
