//! Characters in names of people that are not seen, or that change how the text around them is read: one definition for
//! accounts, mails and tables.

/// Characters that change the direction or the line of what follows, also outside of the text.
pub const fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that take no room of their own and join their neighbours: letters of some scripts, parts of emojis, flags.
/// Alone they are not seen.
pub const fn joins(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Characters that are not seen: those that Unicode lets a program leave out (`Default_Ignorable_Code_Point`), those that
/// turn text, annotations, controls, and the blanks that are no spaces.
pub fn is_unseen(c: char) -> bool {
    turns_text(c)
        || joins(c)
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{200b}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// True if nothing of a text is seen.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_unseen(c))
}

/// A text without the characters that are not seen; those that join stay, if there is something to join.
pub fn visible(text: &str) -> String {
    if is_blank(text) {
        return String::new();
    }
    text.chars().filter(|c| joins(*c) || !is_unseen(*c)).collect()
}

/// True if some of a text is read from right to left.
fn reads_leftwards(text: &str) -> bool {
    let is_of_such_a_script = |c: char| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    text.chars().any(is_of_such_a_script)
}

/// A text for the middle of a sentence: what turns text is taken out of it, and what is read from right to left has marks
/// around it, so that it moves nothing beside it. They stand only where they are needed, since some mail programs show them.
pub fn isolated(text: &str) -> String {
    let text: String = text.chars().filter(|c| !turns_text(*c)).collect();
    if reads_leftwards(&text) { format!("\u{2068}{text}\u{2069}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_joins_text_is_not_seen_by_itself() {
        for c in '\0'..=char::MAX {
            assert!(!(turns_text(c) && joins(c)), "{c:?}");
            assert!(is_unseen(c) || !(turns_text(c) || joins(c)), "{c:?}");
        }
        for blank in
            ["", " ", "\u{200b}", "\u{200d}\u{fe0f}", "\u{3164}\u{115f}", "\u{2800}", "\u{e0020}", "\n"]
        {
            assert!(is_blank(blank) && visible(blank).is_empty(), "{blank:?}");
        }
    }

    #[test]
    fn a_name_in_a_sentence_moves_nothing_beside_it() {
        assert_eq!(isolated("Ada\u{202e}gro.live\u{2066}"), "Adagro.live");
        for name in ["עדה", "Ada (عدا)", "\u{10a00}"] {
            assert_eq!(isolated(name), format!("\u{2068}{name}\u{2069}"));
        }
        for name in ["Ada Müller", "Ада", "नमस्ते", "葛"] {
            assert_eq!(isolated(name), name);
        }
    }

    #[test]
    fn names_keep_what_is_seen_and_what_joins() {
        for name in [
            "Ada Müller",
            "نویسه‌ها",
            "👩‍🚀",
            "❤️",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
            "ក្មេង",
            "葛\u{e0100}",
            "नमस्\u{200d}ते",
        ] {
            assert_eq!(visible(name), name);
            assert!(!is_blank(name));
        }
        assert_eq!(visible("Ada\u{202e}gro.live\r\nBcc: x\0\u{2066}\u{200f}\u{ad}"), "Adagro.liveBcc: x");
    }
}
