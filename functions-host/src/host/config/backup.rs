//! Regular backups of a server in serving mode.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

/// Backups kept if the section does not say.
const KEEP: Option<NonZeroU32> = NonZeroU32::new(14);
/// Time between two backups if the section does not say.
const DAY: Duration = Duration::from_secs(24 * 3_600);
/// Shortest time between two backups: each reads all documents.
const SHORTEST: Duration = Duration::from_secs(60);
/// Longest time between two backups.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3_600);

/// Regular backups. Without this section a server makes none by itself.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Written")]
pub struct BackupSection {
    /// Folder of the backups; a relative path begins at the configuration file's folder.
    pub folder: PathBuf,
    /// The times of the backups.
    pub times: BackupTimes,
    /// Backups that are kept.
    pub keep: Option<NonZeroU32>,
    /// The key file; a relative path begins at the configuration file's folder.
    pub key_file: Option<PathBuf>,
    /// Folder of the copies of the log; a relative path begins at the configuration file's folder.
    pub log_to: Option<PathBuf>,
}

/// The times of regular backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum BackupTimes {
    /// This long after the last one.
    Every(Duration),
    /// Once a day.
    Daily {
        /// The minute of the day, in UTC.
        minute: u16,
    },
}

/// The section as deserialized, before validation.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"folder\": \"/mnt/backups\", \"at\": \"03:30\", \"keep\": 14}"
)]
struct Written {
    /// Folder of the backups, on another disk if possible; a relative path begins at the configuration file's folder. Or
    /// a bucket, `s3://BUCKET/FOLDER?endpoint=URL&region=NAME`, whose keys come from the environment.
    folder: PathBuf,
    /// Time from one backup to the next: `90m`, `6h` or `7d`. Default: `24h`, unless `at` is there.
    every: Option<Every>,
    /// Time of the day, in UTC, of a daily backup. One that was missed is made at the start. Default: none.
    at: Option<TimeOfDay>,
    /// Backups that are kept; the oldest ones are removed. Default: 14.
    keep: Option<NonZeroU32>,
    /// File with the key that encrypts backups, as `tuckbox backup new-key` makes it; a relative path begins at the
    /// configuration file's folder. `tuckbox backup` and `tuckbox restore` use it too. Default: none; backups are not
    /// encrypted.
    key_file: Option<PathBuf>,
    /// Folder or bucket to which commits are copied within a second, on another disk than the data; another one than `folder`. A
    /// restore adds them to the backup. A relative path begins at the configuration file's folder. Default: none.
    log_to: Option<PathBuf>,
}

impl TryFrom<Written> for BackupSection {
    type Error = String;

    fn try_from(Written { folder, every, at, keep, key_file, log_to }: Written) -> Result<Self, String> {
        let times = match (every, at) {
            (Some(_), Some(_)) => {
                return Err("there are both \"every\" and \"at\": leave one of them out".to_owned());
            }
            (None, Some(at)) => BackupTimes::Daily { minute: at.0 },
            (every, None) => BackupTimes::Every(every.map_or(DAY, |every| every.0)),
        };
        if log_to.as_ref() == Some(&folder) {
            return Err(
                "\"logTo\" and \"folder\" are the same: name another folder for the copies of the log"
                    .to_owned(),
            );
        }
        Ok(Self { folder, times, keep: keep.or(KEEP), key_file, log_to })
    }
}

/// A length of time such as `6h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String")]
struct Every(#[cfg_attr(test, schemars(with = "String"))] Duration);

impl TryFrom<String> for Every {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let seconds = |unit: char| match unit {
            'm' => Some(60),
            'h' => Some(3_600),
            'd' => Some(24 * 3_600),
            _ => None,
        };
        let parsed = (|| {
            let unit = text.chars().next_back()?;
            let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
            Some(Duration::from_secs(u64::from(number) * seconds(unit)?))
        })();
        let fits = parsed.filter(|every| (SHORTEST..=LONGEST).contains(every));
        fits.map(Self).ok_or_else(|| {
            format!("invalid time {text:?}: expected minutes, hours or days from \"1m\" to \"366d\", such as \"6h\"")
        })
    }
}

/// A time of the day such as `03:30`, as its minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String")]
struct TimeOfDay(#[cfg_attr(test, schemars(with = "String"))] u16);

impl TryFrom<String> for TimeOfDay {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |text: &str, below: u16| {
            let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u16>().ok().filter(|number| digits && *number < below)
        };
        let parsed = text
            .split_once(':')
            .and_then(|(hour, minute)| Some(number(hour, 24)? * 60 + number(minute, 60)?));
        parsed
            .map(Self)
            .ok_or_else(|| format!("invalid time of the day {text:?}: expected one such as \"03:30\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(json: &str) -> Result<BackupSection, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn times_are_read() {
        let times = |json: &str| section(json).map(|section| section.times);
        assert_eq!(times(r#"{"folder": "b"}"#).unwrap(), BackupTimes::Every(DAY));
        assert_eq!(
            times(r#"{"folder": "b", "every": "90m"}"#).unwrap(),
            BackupTimes::Every(Duration::from_secs(5_400))
        );
        assert_eq!(times(r#"{"folder": "b", "at": "03:30"}"#).unwrap(), BackupTimes::Daily { minute: 210 });
        let error = times(r#"{"folder": "b", "at": "03:30", "every": "1d"}"#).unwrap_err();
        assert!(error.contains("both \"every\" and \"at\": leave one of them out"), "{error}");
    }

    #[test]
    fn copies_of_the_log_have_a_folder_of_their_own() {
        let log_to = |json: &str| section(json).map(|section| section.log_to);
        assert_eq!(log_to(r#"{"folder": "b"}"#).unwrap(), None);
        assert_eq!(log_to(r#"{"folder": "b", "logTo": "l"}"#).unwrap(), Some("l".into()));
        let error = log_to(r#"{"folder": "b", "logTo": "b"}"#).unwrap_err();
        assert!(error.contains("name another folder"), "{error}");
    }

    #[test]
    fn other_texts_are_refused_with_an_example() {
        for every in ["", "h", "6", "0h", "6 h", "-1h", "6w", "367d", "99999999999d", "6é"] {
            let error = section(&format!(r#"{{"folder": "b", "every": "{every}"}}"#)).unwrap_err();
            assert!(
                error.contains("such as \\\"6h\\\"") || error.contains("such as \"6h\""),
                "{every}: {error}"
            );
        }
        for at in ["", "3:30", "24:00", "12:60", "12.30", "+1:00", "0330"] {
            let error = section(&format!(r#"{{"folder": "b", "at": "{at}"}}"#)).unwrap_err();
            assert!(error.contains("03:30"), "{at}: {error}");
        }
    }
}
