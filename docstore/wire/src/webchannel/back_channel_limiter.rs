//! Turns for a browser that has taken all its connections.
//!
//! Over HTTP/1.1 a browser opens at most [`CONNECTIONS`] connections to one host, for all its tabs together, and every
//! client of the SDK wants two for its back channels. Once back channels hold them all, nothing goes up any more and
//! every tab hangs. So then the back channel that has been open longest ends: the request that waits gets through, and
//! the client asks for its back channel again behind it.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ::http::header::{FORWARDED, USER_AGENT, VIA};
use ::http::request::Parts;
use ::http::{HeaderValue, Version};
use axum::extract::ConnectInfo;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Connections to one host that every browser allows itself over HTTP/1.1.
const CONNECTIONS: usize = 6;

/// Shortest life of a back channel, so that browsers sharing connections do not only reconnect: a browser full of idle
/// ones reconnects 24 times a second, and waiting messages go up within some 50 ms.
const SHORTEST_TURN: Duration = Duration::from_millis(250);

/// Identity of a browser: its address and user agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Browser {
    address: Option<IpAddr>,
    agent: HeaderValue,
}

impl Browser {
    /// The browser at the other end of the connection; `None` where it has as many streams as it likes, or where a
    /// proxy stands between.
    fn of(head: &Parts) -> Option<Self> {
        let proxied = head.headers.contains_key(FORWARDED)
            || head.headers.contains_key(VIA)
            || head.headers.contains_key("x-forwarded-for");
        if head.version > Version::HTTP_11 || proxied {
            return None;
        }
        let agent = head.headers.get(USER_AGENT)?.clone();
        let address = head.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Some(Self { address, agent })
    }
}

/// The browsers that have back channels open.
#[derive(Debug, Default)]
pub(super) struct BackChannelLimiter(Mutex<HashMap<Browser, Arc<BrowserChannels>>>);

/// The back channels of one browser.
#[derive(Debug, Default)]
struct BrowserChannels {
    /// Their numbers, the one open longest first.
    open: Mutex<Vec<u64>>,
    /// The number of the newest; whoever waits is woken when one comes or goes.
    changed: watch::Sender<u64>,
}

impl BrowserChannels {
    /// True if back channel `number` must make way. More channels than one browser can have belong to several browsers
    /// that look alike; nothing is known of their connections.
    fn is_in_the_way(&self, number: u64) -> bool {
        let open = self.open.lock();
        open.len() == CONNECTIONS && open.first() == Some(&number)
    }
}

/// A back channel's place among those of its browser; dropping it gives it up.
#[derive(Debug)]
pub(super) struct Place {
    limiter: Arc<BackChannelLimiter>,
    browser: Browser,
    browser_channels: Arc<BrowserChannels>,
    number: u64,
    since: Instant,
}

impl Place {
    /// A place for the back channel that `head` asks for; `None` for a client that cannot run out of connections.
    pub(super) fn take(limiter: &Arc<BackChannelLimiter>, head: &Parts) -> Option<Self> {
        let browser = Browser::of(head)?;
        let mut all = limiter.0.lock();
        let browser_channels = all.entry(browser.clone()).or_default().clone();
        let mut number = 0;
        browser_channels.changed.send_modify(|newest| {
            *newest += 1;
            number = *newest;
            browser_channels.open.lock().push(number);
        });
        drop(all);
        Some(Self { limiter: limiter.clone(), browser, browser_channels, number, since: Instant::now() })
    }

    /// Waits until this back channel has to make way for other requests of its browser.
    pub(super) async fn turn_over(&self) {
        let mut changes = self.browser_channels.changed.subscribe();
        loop {
            changes.mark_unchanged();
            let in_the_way = self.browser_channels.is_in_the_way(self.number);
            tokio::select! {
                () = sleep_until(self.since + SHORTEST_TURN), if in_the_way => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.limiter.0.lock();
        let mut open = self.browser_channels.open.lock();
        open.retain(|number| *number != self.number);
        if open.is_empty() {
            all.remove(&self.browser);
        }
        drop(open);
        self.browser_channels.changed.send_modify(|_| {});
    }
}
