//! Languages of translators: a project's map `translates` has those of each, and an invitation of one has `languages`.

use std::collections::BTreeSet;

use docstore::model::{FieldPath, Fields, Value};

use super::change::field;
use super::{Role, entry, map_of, text};
use crate::functions::callable::CallError;

/// The map of a project from user to languages; the rules read it.
pub(super) const TRANSLATES: &str = "translates";

/// The list of an invitation.
pub(super) const LANGUAGES: &str = "languages";

/// Most languages of one translator, as many as a project may have.
const MAX_LANGUAGES: usize = 40;

/// Longest tag, in bytes.
const MAX_TAG: usize = 40;

/// Tags of languages in the form in which their documents are named: in order, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Languages(BTreeSet<String>);

impl Languages {
    /// The languages that a caller names for a role: a translator has some, others have none.
    pub(super) fn asked(role: Option<Role>, tags: &[String]) -> Result<Self, CallError> {
        if role != Some(Role::Translator) {
            return if tags.is_empty() { Ok(Self::default()) } else { Err(none_wanted()) };
        }
        if tags.is_empty() || tags.len() > MAX_LANGUAGES {
            return Err(CallError::invalid(format!(
                "languages must name 1 to {MAX_LANGUAGES} languages that a translator writes."
            )));
        }
        if let Some(wrong) = tags.iter().find(|tag| !is_tag(tag)) {
            let shown: String = wrong.chars().take(MAX_TAG).collect();
            return Err(CallError::invalid(format!(
                "“{shown}” is no language: write a tag in lower case, such as de or pt-br."
            )));
        }
        Ok(Self(tags.iter().cloned().collect()))
    }

    /// Languages of an invitation.
    pub(super) fn of_invitation(invitation: &Fields, role: Role) -> Self {
        if role == Role::Translator { Self::listed(invitation.get(LANGUAGES)) } else { Self::default() }
    }

    /// Languages of a member.
    pub(super) fn of_member(deck: &Fields, uid: &str) -> Self {
        Self::listed(map_of(deck, TRANSLATES).and_then(|map| map.get(uid)))
    }

    fn listed(list: Option<&Value>) -> Self {
        let Some(Value::Array(tags)) = list else { return Self::default() };
        let tags = tags.iter().filter_map(|tag| match tag {
            Value::String(tag) => Some(tag.clone()),
            _ => None,
        });
        Self(tags.collect())
    }

    /// These and those, as far as one translator may have so many.
    pub(super) fn and(mut self, others: &Self) -> Self {
        let room = MAX_LANGUAGES.saturating_sub(self.0.len());
        let new: Vec<String> = others.0.difference(&self.0).take(room).cloned().collect();
        self.0.extend(new);
        self
    }

    /// True if one of these is none of `others`.
    pub(super) fn is_more_than(&self, others: &Self) -> bool {
        !self.0.is_subset(&others.0)
    }

    /// The tags.
    pub(super) fn tags(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }

    /// The tags as a list of a document.
    pub(super) fn value(&self) -> Value {
        Value::Array(self.0.iter().map(|tag| text(tag)).collect())
    }

    /// Writes a member's languages; whoever has another role has none afterwards.
    pub(super) fn into_member(
        self,
        uid: &str,
        role: Role,
        fields: &mut Fields,
        mask: &mut Vec<FieldPath>,
    ) -> Result<(), CallError> {
        mask.push(field(&[TRANSLATES, uid])?);
        if role == Role::Translator {
            fields.insert(TRANSLATES.to_owned(), entry(uid, self.value()));
        }
        Ok(())
    }
}

/// True for a tag in the form in which documents of languages are named: `[a-z]{2,3}(-[a-z0-9]{2,8})*`.
fn is_tag(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    tag.len() <= MAX_TAG
        && (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| {
            (2..=8).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
}

fn none_wanted() -> CallError {
    CallError::invalid("languages are for translators: leave them out for another role.")
}
