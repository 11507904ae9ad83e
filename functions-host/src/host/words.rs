//! Numbers in words, for people.

/// A number of things.
pub(crate) fn number_of(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// A size, as the application says it: 1 MB is 1,048,576 bytes.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return number_of(bytes, "byte", "bytes");
    }
    let power = (bytes.ilog2() / 10).clamp(1, 4);
    let unit_bytes = 1_u128 << (10 * power);
    let rounded = |parts: u128| (u128::from(bytes) * parts + unit_bytes / 2) / unit_bytes;
    let (whole, tenths) = (rounded(1), rounded(10));
    let unit = UNITS[power as usize - 1];
    if u128::from(bytes) < 10 * unit_bytes && !tenths.is_multiple_of(10) {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    } else {
        format!("{whole} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_as_people_say_them() {
        for (bytes, words) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_024, "1 KB"),
            (1_536, "1.5 KB"),
            (20_000, "20 KB"),
            (1 << 30, "1 GB"),
            (u64::MAX, "16777216 TB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }
}
