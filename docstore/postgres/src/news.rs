//! News of the log's end: notifications, and a question now and then beside them.

use std::sync::Arc;
use std::time::Duration;

use docstore::engine::shared::Position;
use docstore::{Error, Result};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::session::{ANSWER, Purpose};
use crate::{Link, failure, rows, slot};

/// Time between two questions beside notifications, which may be lost.
const BESIDE_NOTIFICATIONS: Duration = Duration::from_secs(1);
/// Time between two questions without notifications.
const WITHOUT_NOTIFICATIONS: Duration = Duration::from_millis(20);
/// Pause before the next attempt to connect.
const RETRY: Duration = Duration::from_millis(250);

/// Publishes a place that was heard of, unless a later one is known.
pub(crate) fn heard(news: &watch::Sender<Position>, position: Position) {
    news.send_if_modified(|known| {
        let is_news = position.ts > known.ts;
        if is_news {
            *known = position;
        }
        is_news
    });
}

/// Follows the log's end until the task is aborted.
pub(crate) async fn follow(link: Arc<Link>, news: watch::Sender<Position>, notifications: bool) {
    let mut away = false;
    loop {
        let Err(error) = listen(&link, &news, notifications, &mut away).await;
        if !away {
            tracing::warn!(%error, "there is no news of the shared log");
        }
        away = true;
        sleep(RETRY).await;
    }
}

async fn listen(
    link: &Link,
    news: &watch::Sender<Position>,
    notifications: bool,
    away: &mut bool,
) -> Result<std::convert::Infallible> {
    let session = slot::connect(link, Purpose::News).await?;
    let failed = |error| failure::of(&link.address, error);
    let pause = if notifications {
        session.batch_execute("LISTEN tuckbox").await.map_err(failed)?;
        BESIDE_NOTIFICATIONS
    } else {
        WITHOUT_NOTIFICATIONS
    };
    if std::mem::take(away) {
        tracing::info!("there is news of the shared log again");
    }
    let mut notified = session.notified.clone();
    let silent = || failure::unreachable(&link.address, "it does not answer");
    loop {
        let asked = session.query_one("SELECT ts, batch FROM tuckbox.head WHERE shard = 0", &[]);
        let row = timeout(ANSWER, asked).await.map_err(|_| silent())?.map_err(failed)?;
        let position = rows::position(&row)?;
        // The answer counts whatever was heard before: after a rewritten history it goes back.
        news.send_if_modified(|known| std::mem::replace(known, position) != position);
        let mut pause = std::pin::pin!(sleep(pause));
        loop {
            tokio::select! {
                biased;
                changed = notified.changed() => {
                    changed.map_err(|_| closed(link))?;
                    if let Some(position) = *notified.borrow_and_update() {
                        heard(news, position);
                    }
                }
                () = &mut pause => break,
            }
        }
    }
}

fn closed(link: &Link) -> Error {
    failure::unreachable(&link.address, "the connection has ended")
}
