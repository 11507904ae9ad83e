//! Feedback on playtests: `feedbackForm`, `sendFeedback`, `setFeedbackForm` and `readFeedback`.
//!
//! A project has one form of a few questions. Whoever may come to a table answers it, once a table; answering again
//! replaces the answers. Answers are documents `playtests/{table}/feedback/{author}`, which go with their table; owners and
//! editors of the project read them.

mod form;

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{
    Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order, Precondition,
    Query, Source, Value, Write, WriteOp,
};
use docstore::{Code, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use self::form::{Answer, Form, Question};
use super::playtests::refused;
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::product::members;
use crate::project;
use crate::table::messages::Refused;
use crate::table::{LiveTables, Standing, lobby};

/// Collection of the answers of a table.
const COLLECTION: &str = "feedback";

/// Answers of a project that are read at once: the newest.
const MOST_READ: u32 = 500;

/// Attempts to write a form that others write meanwhile.
const MAX_ATTEMPTS: u32 = 5;

/// People who leave feedback at one table: all who may have come.
const MOST_OF_TABLE: u64 = 150;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTable {
    table: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OfProject {
    project_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetForm {
    project_id: String,
    questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Send {
    table: String,
    /// The form that is answered: one that has changed meanwhile is shown anew.
    rev: i64,
    /// An answer for each question; `null` for none.
    answers: Vec<Option<Answer>>,
}

#[derive(Debug, Serialize)]
struct Shown {
    rev: i64,
    questions: Vec<Question>,
    /// One's own answers, if there are any to this form.
    answers: Option<Vec<Option<Answer>>>,
}

#[derive(Debug, Serialize)]
struct Sent {
    sent: bool,
}

#[derive(Debug, Serialize)]
struct Given {
    table: String,
    /// Name of the table, and of whoever answered.
    name: String,
    #[serde(rename = "by")]
    author: String,
    /// Milliseconds since the epoch.
    at: i64,
    answers: Vec<Json>,
}

#[derive(Debug, Serialize)]
struct All {
    rev: i64,
    questions: Vec<Question>,
    feedback: Vec<Given>,
    /// True if there is more than is read.
    more: bool,
}

#[derive(Debug, Clone)]
struct Feedback {
    database: Database,
    live: LiveTables,
}

/// The functions over `database` and `live`.
pub(in crate::product) fn functions(database: &Database, live: &LiveTables) -> [Function; 4] {
    let feedback = Feedback { database: database.clone(), live: live.clone() };
    let shared = feedback.clone();
    let form = Function::new("feedbackForm", move |context: Context, request: OfTable| {
        let shared = shared.clone();
        async move { shared.form(&context.user()?.uid, &request.table).await }
    });
    let shared = feedback.clone();
    let send = Function::new("sendFeedback", move |context: Context, request: Send| {
        let shared = shared.clone();
        async move { shared.send(context.user()?, request).await }
    });
    let shared = feedback.clone();
    let set = Function::new("setFeedbackForm", move |context: Context, request: SetForm| {
        let shared = shared.clone();
        async move { shared.set(&context.user()?.uid, request).await }
    });
    let read = Function::new("readFeedback", move |context: Context, request: OfProject| {
        let shared = feedback.clone();
        async move { shared.read(&context.user()?.uid, &request.project_id).await }
    });
    [form.admit_guests(), send.admit_guests(), set, read]
}

impl Feedback {
    /// The public document of a table that somebody may come to, and the form of its project.
    async fn table(&self, uid: &str, table: &str) -> Result<(Document, Form), CallError> {
        self.live.check_way(table, uid).await.map_err(refused)?;
        let gone = || refused(Refused::Stranger);
        let found = lobby::find(&self.database, table).await?.ok_or_else(gone)?;
        let project = lobby::project(&found.fields).ok_or_else(gone)?;
        let form = self.form_of(project).await?;
        Ok((found, form))
    }

    async fn form_of(&self, project: &str) -> Result<Form, CallError> {
        let found = self.get(form_path(project)?).await?;
        Ok(found.map_or_else(Form::usual, |found| Form::read(&found.fields)))
    }

    async fn form(&self, uid: &str, table: &str) -> Result<Shown, CallError> {
        let (found, form) = self.table(uid, table).await?;
        let before = self.get(answer_path(&found.path, uid)?).await?;
        let answers = before.and_then(|before| form.answers_of(&before.fields));
        Ok(Shown { rev: form.rev, questions: form.questions, answers })
    }

    async fn send(&self, user: &AuthContext, request: Send) -> Result<Sent, CallError> {
        let (found, form) = self.table(&user.uid, &request.table).await?;
        if form.rev != request.rev {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "The questions have changed meanwhile. Look at them again; your answers were not sent.",
            ));
        }
        let answers = form.check(&request.answers).map_err(CallError::invalid)?;
        let path = answer_path(&found.path, &user.uid)?;
        let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
        let all = Query::all(Some(found.path.clone()), source);
        if self.get(path.clone()).await?.is_none()
            && self.database.count(&all, Some(MOST_OF_TABLE)).await? >= MOST_OF_TABLE
        {
            return Err(CallError::new(
                Code::ResourceExhausted,
                "As many people have left feedback at this table as it keeps. Tell the host instead.",
            ));
        }
        let name = self.name_of(&request.table, user).await?;
        let mut fields = Fields::from([
            ("authorId".to_owned(), Value::String(user.uid.clone())),
            ("name".to_owned(), Value::String(name)),
            ("rev".to_owned(), Value::Integer(form.rev)),
            ("answers".to_owned(), Value::String(answers)),
            ("at".to_owned(), Value::Timestamp(self.live.now())),
        ]);
        for name in ["projectId", "ownerId"] {
            fields.extend(found.fields.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        let table = lobby::name(&found.fields).unwrap_or_default();
        fields.insert("tableName".to_owned(), Value::String(table.to_owned()));
        self.put(path, fields, Precondition::None).await?;
        Ok(Sent { sent: true })
    }

    /// The name with which somebody came, or that of their account.
    async fn name_of(&self, table: &str, user: &AuthContext) -> Result<String, CallError> {
        let admission = self.live.admissions().get(table).await?;
        let joined = admission.people.get(&user.uid).map(|person| person.name.clone());
        let claim = user.token.get("name").and_then(Json::as_str).map(str::to_owned);
        Ok(joined.or(claim).unwrap_or_default())
    }

    async fn maker(&self, uid: &str, project: &str) -> Result<(), CallError> {
        let nothing = || CallError::new(Code::NotFound, "There is no such project that you are a member of.");
        let found = project::find(&self.database, project).await?.ok_or_else(nothing)?;
        match members::standings(&found.fields).get(uid) {
            Some(Standing::Maker) => Ok(()),
            Some(Standing::Member) => Err(CallError::new(
                Code::PermissionDenied,
                "Only owners and editors of a project read feedback and write its questions.",
            )),
            None => Err(nothing()),
        }
    }

    async fn set(&self, uid: &str, request: SetForm) -> Result<Shown, CallError> {
        self.maker(uid, &request.project_id).await?;
        let path = form_path(&request.project_id)?;
        let mut form = Form { rev: 0, questions: request.questions };
        let mut attempt = 1;
        loop {
            let before = self.get(path.clone()).await?;
            // Two forms of one number would take each other's answers for their own.
            let precondition = match &before {
                Some(before) => Precondition::UpdateTime(before.update_time),
                None => Precondition::Exists(false),
            };
            form.rev = before.map_or_else(Form::usual, |before| Form::read(&before.fields)).rev + 1;
            let fields = form.fields().map_err(CallError::invalid)?;
            match self.put(path.clone(), fields, precondition).await {
                Err(error) if has_changed(&error) && attempt < MAX_ATTEMPTS => attempt += 1,
                outcome => break outcome?,
            }
        }
        Ok(Shown { rev: form.rev, questions: form.questions, answers: None })
    }

    async fn read(&self, uid: &str, project: &str) -> Result<All, CallError> {
        self.maker(uid, project).await?;
        let form = self.form_of(project).await?;
        let (field, value) = (FieldPath::parse("projectId")?, Value::String(project.to_owned()));
        let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: true };
        let newest_first = Order { field: FieldPath::parse("at")?, direction: Direction::Descending };
        let query = Query {
            filter: Some(Filter::Field(FieldFilter { field, op: FieldOp::Equal, value })),
            order_by: vec![newest_first],
            limit: Some(MOST_READ + 1),
            ..Query::all(None, source)
        };
        let found = self.database.run(&query, None).await?.documents;
        let more = found.len() > MOST_READ as usize;
        let feedback = found.iter().take(MOST_READ as usize).filter_map(given).collect();
        Ok(All { rev: form.rev, questions: form.questions, feedback, more })
    }

    async fn get(&self, path: DocPath) -> Result<Option<Document>, Error> {
        Ok(self.database.get(&[path], None).await?.value.into_iter().flatten().next())
    }

    async fn put(&self, path: DocPath, fields: Fields, precondition: Precondition) -> Result<(), Error> {
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let write = Write { path, op, precondition };
        self.database.commit(Draft::of(vec![write])).await.map(drop)
    }
}

/// An answer as owners and editors read it; none for a document that is no answer of a table.
fn given(document: &Document) -> Option<Given> {
    let text = |name: &str| match document.fields.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(Value::Timestamp(at)) = document.fields.get("at") else { return None };
    let path = document.path.to_string();
    let table = path.strip_prefix(lobby::COLLECTION)?.strip_prefix('/')?.split('/').next()?;
    Some(Given {
        table: table.to_owned(),
        name: text("tableName")?,
        author: text("name")?,
        at: at.0 / 1_000,
        answers: serde_json::from_str(&text("answers")?).ok()?,
    })
}

/// True if a document was not as a write expected it.
fn has_changed(error: &Error) -> bool {
    matches!(error.code(), Code::FailedPrecondition | Code::AlreadyExists | Code::NotFound)
}

fn form_path(project: &str) -> Result<DocPath, Error> {
    DocPath::parse(&format!("{}/forms/feedback", project::path(project)?))
}

fn answer_path(table: &DocPath, uid: &str) -> Result<DocPath, Error> {
    docstore::model::CollectionPath::parse(&format!("{table}/{COLLECTION}"))?.doc(uid)
}
