//! This server beside Google's emulator in one run, and how far ahead it is meant to be.

use super::{Row, Wire};

/// Goals on a disk as multiples of the emulator's rate: work, connections, ratio. Each ratio is the quotient of both
/// rates on the same machine.
const GOALS: [(&str, usize, f64); 9] = [
    ("get", 1, 12.0 / 5.3),
    ("get", 16, 45.0 / 15.9),
    ("get", 64, 45.0 / 16.1),
    ("set", 1, 3.0 / 3.7),
    ("set", 16, 14.0 / 12.0),
    ("set", 64, 20.0 / 10.8),
    ("query", 1, 31.0 / 0.3),
    ("query", 16, 31.0 / 0.3),
    ("query", 64, 31.0 / 0.3),
];
/// Listeners in the live-query goal, and how many times sooner a write must reach all of them. A single listener would
/// measure little: it is told hardly later than the writer, who waits for a disk here and for none there.
pub(super) const LISTENERS_GOAL: (usize, f64) = (100, 4.5 / 1.5);

/// Prints how many times better this server does over gRPC than the emulator.
#[expect(clippy::print_stdout, reason = "the table is this program's output")]
pub(super) fn print(rows: &[Row]) {
    let find = |peer: &str, row: &Row| {
        let same = |other: &&Row| {
            other.peer == peer
                && other.wire == row.wire
                && other.what == row.what
                && other.connections == row.connections
        };
        rows.iter().find(same)
    };
    let references: Vec<&Row> =
        rows.iter().filter(|row| row.peer == super::peers::REFERENCE && row.wire == Wire::Grpc).collect();
    if references.is_empty() {
        println!("SKIPPED: Google's emulator is not on this machine, so there is nothing to stand beside.");
        return;
    }
    println!("{:<16} {:>5} {:>14} {:>14} {:>8}", "times better", "", "on a disk", "in memory", "goal");
    for reference in references {
        let times = |peer: &str| {
            find(peer, reference).map_or_else(
                || "–".to_owned(),
                |row| {
                    let times = match (row.rate, reference.rate) {
                        (Some(ours), Some(theirs)) => ours / theirs,
                        _ => reference.p50.as_secs_f64() / row.p50.as_secs_f64(),
                    };
                    format!("{times:.1}")
                },
            )
        };
        let listeners = (super::LISTEN, LISTENERS_GOAL.0, LISTENERS_GOAL.1);
        let goal = GOALS
            .iter()
            .chain([&listeners])
            .find(|(what, connections, _)| *what == reference.what && *connections == reference.connections)
            .map_or_else(|| "–".to_owned(), |(_, _, goal)| format!("{goal:.1}"));
        println!(
            "{:<16} {:>5} {:>14} {:>14} {:>8}",
            reference.what,
            reference.connections,
            times(super::peers::ON_DISK),
            times(super::peers::IN_MEMORY),
            goal
        );
    }
}
