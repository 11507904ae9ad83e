//! Regular backups of a running server, and the warning when there are none.

use std::sync::Arc;
use std::time::Duration;

use docstore::model::Ts;

use super::runner::{Order, Runner};
use crate::host::config::BackupTimes;

/// Longest sleep: the clock may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(600);
/// Time after a failed backup until the next try, unless the schedule comes first.
const RETRY: Duration = Duration::from_secs(900);
/// Time between two warnings.
const WARN_EVERY: Duration = Duration::from_secs(24 * 3_600);

/// Makes backups by the schedule and warns when there was none for a week, until the task is aborted.
pub(crate) async fn keep_backing_up(runner: Arc<Runner>, schedule: Option<(BackupTimes, Order)>) {
    let scheduled = async {
        if let Some((times, order)) = &schedule {
            run(&runner, *times, order).await;
        }
    };
    tokio::join!(scheduled, warn(&runner));
}

async fn run(runner: &Runner, times: BackupTimes, order: &Order) {
    let (mut retry, mut asked) = (Ts::ZERO, false);
    loop {
        // A backup made by hand counts.
        let last = runner.last().map(|last| last.at()).filter(|_| !asked);
        let due = due(times, last, runner.now()).max(retry);
        let wait = Duration::from_micros(due.micros().saturating_sub(runner.now().micros()));
        if !wait.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(wait.min(LONGEST_SLEEP)) => {}
                () = runner.log().asked() => asked = true,
            }
            continue;
        }
        match runner.run(order.clone()).await {
            Ok(made) => {
                asked = false;
                runner.log().keep_after(made.oldest);
            }
            // The runner has logged the reason.
            Err(_) => retry = later(runner.now(), RETRY),
        }
    }
}

async fn warn(runner: &Runner) {
    loop {
        if let Some(warning) = runner.warning() {
            tracing::warn!("{warning}");
        }
        tokio::time::sleep(WARN_EVERY).await;
    }
}

fn later(at: Ts, by: Duration) -> Ts {
    Ts::from_micros(at.micros().saturating_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX)))
}

/// The time of the next backup after that of `last`; `now` or before if it is due.
fn due(times: BackupTimes, last: Option<Ts>, now: Ts) -> Ts {
    const DAY: u64 = 24 * 3_600 * 1_000_000;
    // One made while the clock was ahead may be old.
    let Some(last) = last.filter(|last| *last <= now) else { return now };
    match times {
        BackupTimes::Every(every) => later(last, every),
        BackupTimes::Daily { minute } => {
            let within = u64::from(minute) * 60 * 1_000_000;
            let passed = (last.micros() + DAY).saturating_sub(within) / DAY;
            Ts::from_micros(passed * DAY + within)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: u64 = 3_600_000_000;

    #[test]
    fn the_next_backup_comes_when_the_last_is_old_enough() {
        let hours = |hours: u64| Ts::from_micros(hours * HOUR);
        let every = BackupTimes::Every(Duration::from_secs(6 * 3_600));
        assert_eq!(due(every, None, hours(100)), hours(100));
        assert_eq!(due(every, Some(hours(100)), hours(101)), hours(106));
        // At half past three each day: one was missed while the server was down.
        let daily = BackupTimes::Daily { minute: 210 };
        let half_past_three = |day: u64| Ts::from_micros(day * 24 * HOUR + 7 * HOUR / 2);
        assert_eq!(due(daily, Some(hours(10 * 24 + 1)), hours(264)), half_past_three(10));
        assert_eq!(due(daily, Some(half_past_three(10)), hours(264)), half_past_three(11));
        assert_eq!(due(daily, Some(hours(10 * 24 + 23)), hours(264)), half_past_three(11));
    }

    #[test]
    fn a_backup_is_due_when_the_last_was_made_while_the_clock_was_ahead() {
        let (now, ahead) = (Ts::from_micros(1_000 * HOUR), Ts::from_micros(5_000 * HOUR));
        for times in [BackupTimes::Every(Duration::from_secs(3_600)), BackupTimes::Daily { minute: 210 }] {
            assert_eq!(due(times, Some(ahead), now), now);
        }
    }

    proptest! {
        #[test]
        fn a_daily_backup_is_due_within_a_day_at_its_minute(last in 0u64..4_000_000_000_000_000, minute in 0u16..1_440) {
            let next = due(BackupTimes::Daily { minute }, Some(Ts::from_micros(last)), Ts::from_micros(last)).micros();
            prop_assert!(next > last && next - last <= 24 * HOUR);
            prop_assert_eq!(next % (24 * HOUR), u64::from(minute) * 60_000_000);
        }
    }
}
