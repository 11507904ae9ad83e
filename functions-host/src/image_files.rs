//! Names of images' files: they say what is in them, and no two images have one.

/// Digits of a content's SHA-256 in the name of its file.
const HASH_DIGITS: usize = 16;

/// Longest ending of a file's name that a copy keeps, with its dot.
const MAX_ENDING: usize = 6;

/// The name of a copy in a folder: digits of its content, something that no other file there has, and the ending of the
/// original.
pub(crate) fn name_of_copy(folder: &str, sha256: &str, unique: &str, original: &str) -> String {
    let digits: String = sha256.chars().take(HASH_DIGITS).collect();
    format!("{folder}/{digits}-{unique}{}", ending(original))
}

/// The ending of a file's name, with its dot.
fn ending(name: &str) -> &str {
    let dot = name.rfind('.').unwrap_or(name.len());
    let ending = name.get(dot..).unwrap_or_default();
    let plain = ending.chars().skip(1).all(|char| char.is_ascii_alphanumeric());
    if plain && (2..=MAX_ENDING).contains(&ending.len()) { ending } else { "" }
}

#[cfg(test)]
mod tests {
    use super::name_of_copy;

    #[test]
    fn a_copy_keeps_an_ending_that_is_one() {
        let named = |original: &str| name_of_copy("f", "0123456789abcdef0123", "x", original);
        assert_eq!(named("users/ann/images/fox.png"), "f/0123456789abcdef-x.png");
        for original in ["fox", "a.b/fox", "fox.", "fox.longer-than", "fox.p/g"] {
            assert_eq!(named(original), "f/0123456789abcdef-x", "{original}");
        }
    }
}
