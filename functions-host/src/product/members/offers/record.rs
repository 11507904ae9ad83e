//! The documents of offers, `offers/{project}`, and of projects whose files still count for a former owner,
//! `handovers/{project}`.

use docstore::Result;
use docstore::model::{DocPath, Document, Fields, Value, Write};

use super::super::{Role, map_of, millis_of, role_of, text, text_of};

/// Collection of the offers, by project.
pub(super) const OFFERS: &str = "offers";

/// Collection of projects that changed hands a short time ago. No client reads it.
pub(super) const HANDOVERS: &str = "handovers";

/// Field of a hand-over with its time, in milliseconds since the epoch.
pub(super) const AT: &str = "at";

/// Field of an offer with its end, in milliseconds since the epoch.
pub(super) const EXPIRES: &str = "expiresAt";

/// Name of a member who has none.
const UNNAMED: &str = "a member";

/// An offer. Times in milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::product::members) struct Offer {
    /// Id of the project.
    pub(in crate::product::members) project: String,
    pub(in crate::product::members) project_name: String,
    /// Account of the owner.
    pub(in crate::product::members) from: String,
    pub(in crate::product::members) from_name: String,
    /// The member who may take it.
    pub(in crate::product::members) to: String,
    pub(in crate::product::members) to_name: String,
    pub(in crate::product::members) created_at: i64,
    pub(in crate::product::members) expires_at: i64,
    /// The owner's account is gone: the project goes with the offer's end.
    pub(in crate::product::members) closing: bool,
    /// Members were told that the end is near.
    pub(in crate::product::members) reminded: bool,
    /// The end has come, and the project is being deleted.
    pub(in crate::product::members) ended: bool,
    /// Members who declined a closing offer, or left, before it was passed on.
    pub(in crate::product::members) declined: Vec<String>,
}

impl Offer {
    /// The offer of a document; `None` for one that is no offer.
    pub(super) fn read(document: &Document) -> Option<Self> {
        let fields = &document.fields;
        let is = |name: &str| fields.get(name) == Some(&Value::Boolean(true));
        Some(Self {
            project: document.path.id().to_owned(),
            project_name: text_of(fields, "projectName")?,
            from: text_of(fields, "from")?,
            from_name: text_of(fields, "fromName")?,
            to: text_of(fields, "to")?,
            to_name: text_of(fields, "toName")?,
            created_at: millis_of(fields, "createdAt"),
            expires_at: millis_of(fields, EXPIRES),
            closing: is("closing"),
            reminded: is("reminded"),
            ended: is("ended"),
            declined: match fields.get("declined") {
                Some(Value::Array(uids)) => uids.iter().filter_map(string_of).collect(),
                _ => Vec::new(),
            },
        })
    }

    /// The write that makes it the project's offer.
    pub(super) fn write(&self) -> Result<Write> {
        let fields = Fields::from([
            ("projectId".to_owned(), text(&self.project)),
            ("projectName".to_owned(), text(&self.project_name)),
            ("from".to_owned(), text(&self.from)),
            ("fromName".to_owned(), text(&self.from_name)),
            ("to".to_owned(), text(&self.to)),
            ("toName".to_owned(), text(&self.to_name)),
            ("createdAt".to_owned(), Value::Integer(self.created_at)),
            (EXPIRES.to_owned(), Value::Integer(self.expires_at)),
            ("closing".to_owned(), Value::Boolean(self.closing)),
            ("reminded".to_owned(), Value::Boolean(self.reminded)),
            ("ended".to_owned(), Value::Boolean(self.ended)),
            ("declined".to_owned(), Value::Array(self.declined.iter().map(|uid| text(uid)).collect())),
        ]);
        Ok(Write::set(offer_path(&self.project)?, fields))
    }

    /// The same offer to the next member: owners first, then editors. `None` if nobody is left who was not asked.
    pub(super) fn passed_on(mut self, project: &Fields) -> Option<Self> {
        self.declined.push(std::mem::take(&mut self.to));
        let members = map_of(project, "members")?;
        let next = members
            .keys()
            .filter(|uid| **uid != self.from && !self.declined.contains(uid))
            .filter_map(|uid| {
                role_of(project, uid).filter(|role| *role >= Role::Editor).map(|role| (role, uid))
            })
            .max_by(|(a, x), (b, y)| a.cmp(b).then_with(|| y.cmp(x)))
            .map(|(_, uid)| uid.clone())?;
        self.to_name = name_of(project, &next);
        self.to = next;
        Some(self)
    }

    /// True if it can be answered at `now`.
    pub(super) const fn is_open(&self, now: i64) -> bool {
        !self.ended && self.expires_at > now
    }
}

/// Name of a member of a project.
pub(super) fn name_of(project: &Fields, uid: &str) -> String {
    let name = map_of(project, "people").and_then(|people| text_of(people, uid));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| UNNAMED.to_owned())
}

fn string_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Document of a project's offer.
pub(in crate::product) fn offer_path(project: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{OFFERS}/{project}"))
}

/// Document of a project that changed hands.
pub(super) fn handover_path(project: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{HANDOVERS}/{project}"))
}
