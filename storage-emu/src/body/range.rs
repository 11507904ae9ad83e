//! The `Range` header: one range of bytes.

use std::ops::Range;

/// The part of a body that a `Range` header requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All of it: no header, another unit, several ranges or nonsense.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes that are not there: answer 416.
    Unsatisfiable,
}

/// Reads a `Range` header for a body of `size` bytes (RFC 9110 §14). Several ranges count as none.
pub fn wanted(header: Option<&str>, size: u64) -> Wanted {
    let Some(spec) = header.and_then(|value| value.trim().strip_prefix("bytes=")) else {
        return Wanted::Whole;
    };
    if spec.contains(',') {
        return Wanted::Whole;
    }
    let Some((first, last)) = spec.trim().split_once('-') else { return Wanted::Whole };
    match (first.trim(), last.trim()) {
        ("", "") => Wanted::Whole,
        ("", suffix) => match suffix.parse::<u64>() {
            Ok(0) => Wanted::Unsatisfiable,
            Ok(_) if size == 0 => Wanted::Unsatisfiable,
            Ok(count) => Wanted::Part(size.saturating_sub(count)..size),
            Err(_) => Wanted::Whole,
        },
        (first, last) => {
            let Ok(first) = first.parse::<u64>() else { return Wanted::Whole };
            let end = match last {
                "" => size,
                last => match last.parse::<u64>() {
                    Ok(last) if last >= first => last.saturating_add(1).min(size),
                    _ => return Wanted::Whole,
                },
            };
            if first >= size { Wanted::Unsatisfiable } else { Wanted::Part(first..end) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges() {
        for (header, size, expected) in [
            (None, 10, Wanted::Whole),
            (Some("bytes=0-4"), 10, Wanted::Part(0..5)),
            (Some("bytes=5-"), 10, Wanted::Part(5..10)),
            (Some("bytes=-3"), 10, Wanted::Part(7..10)),
            (Some("bytes=-30"), 10, Wanted::Part(0..10)),
            (Some("bytes=0-99"), 10, Wanted::Part(0..10)),
            (Some("bytes=10-"), 10, Wanted::Unsatisfiable),
            (Some("bytes=0-"), 0, Wanted::Unsatisfiable),
            (Some("bytes=-0"), 10, Wanted::Unsatisfiable),
            (Some("bytes=4-2"), 10, Wanted::Whole),
            (Some("bytes=0-1,4-5"), 10, Wanted::Whole),
            (Some("items=0-1"), 10, Wanted::Whole),
            (Some("bytes=x-1"), 10, Wanted::Whole),
            (Some("bytes=0-18446744073709551615"), 10, Wanted::Part(0..10)),
        ] {
            assert_eq!(wanted(header, size), expected, "{header:?}");
        }
    }
}
