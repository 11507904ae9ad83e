//! Names and other texts of people that are shown on one line.

use tuckbox_names::{is_blank, turns_text};

use crate::functions::callable::CallError;

/// A text of people: trimmed, not empty, on one line, and turning no text around it.
pub(super) fn text(text: &str, what: &str, most: usize) -> Result<String, CallError> {
    let text = text.trim();
    if is_blank(text) || text.chars().count() > most || text.chars().any(|c| c.is_control() || turns_text(c))
    {
        return Err(CallError::invalid(format!(
            "{what} must have 1 to {most} characters on one line, none of which changes the direction of text."
        )));
    }
    Ok(text.to_owned())
}
