//! `get`, `exists`, `getAfter` and `existsAfter`.

use std::sync::Arc;

use crate::limits::{MAX_DOCUMENTS_MULTI, MAX_DOCUMENTS_SINGLE};
use crate::program::{AccessFunction, NodeId};
use crate::request::{DocumentKey, Service, document_resource};
use crate::value::{Path, Value};

use super::{Evaluator, Fault, Outcome};

impl Evaluator<'_> {
    pub(super) fn access(&mut self, function: AccessFunction, argument: Option<NodeId>) -> Outcome {
        let name = function.name();
        let Some(argument) = argument else {
            return Err(Fault::failed(format!("Incorrect number of arguments. Expected: {name}(path).")));
        };
        let path = match self.evaluate(argument)? {
            Value::Path(path) => path,
            Value::Unknown(_) => return Err(Fault::Unproven),
            other => {
                let received = other.type_of().name();
                return Err(Fault::failed(format!(
                    "Unsupported operation error. Received: {name}({received}). Expected: {name}(path)."
                )));
            }
        };
        let key = self.key(function, &path)?;
        self.count(&key, function)?;
        let Some(found) = self.bindings.documents.get(&key) else {
            if self.bindings.documents.is_full() {
                let message = format!(
                    "The request reads more than {MAX_DOCUMENTS_MULTI} documents in rules \
                     ({MAX_DOCUMENTS_SINGLE} for a single document or query). Function: [{name}], \
                     Argument: [{key}]."
                );
                return Err(Fault::Limit(message.into()));
            }
            return Err(Fault::Need(Arc::new(key)));
        };
        match function {
            AccessFunction::Exists | AccessFunction::ExistsAfter => Ok(Value::Bool(found.is_some())),
            AccessFunction::Get | AccessFunction::GetAfter => {
                let fields = found.clone().ok_or_else(|| service_failure(function, &path))?;
                let segments: Vec<Arc<str>> = path.segments().cloned().collect();
                Ok(document_resource(&segments, fields))
            }
        }
    }

    fn key(&self, function: AccessFunction, path: &Path) -> Result<DocumentKey, Fault> {
        let segments: Vec<_> = path.segments().cloned().collect();
        match segments.as_slice() {
            [databases, database, documents, rest @ ..]
                if **databases == *"databases"
                    && **documents == *"documents"
                    && !rest.is_empty()
                    && rest.len() % 2 == 0
                    && rest.iter().all(|s| is_segment(s))
                    && self.is_own_database(database) =>
            {
                Ok(DocumentKey { database: database.clone(), path: rest.into(), after: function.is_after() })
            }
            _ => Err(service_failure(function, path)),
        }
    }

    /// Firestore rules read only their own database; Storage rules any of the project.
    fn is_own_database(&self, database: &str) -> bool {
        if self.bindings.service == Service::Storage {
            return true;
        }
        let Value::Map(request) = self.bindings.request else { return false };
        match request.get("path") {
            Some(Value::Path(path)) => path.segments().nth(1).is_some_and(|own| **own == *database),
            _ => false,
        }
    }

    fn count(&mut self, key: &DocumentKey, function: AccessFunction) -> Result<(), Fault> {
        if self.usage.accessed.contains(key) {
            return Ok(());
        }
        if self.usage.accessed.len() >= MAX_DOCUMENTS_SINGLE {
            let message = format!(
                "A rule reads more than {MAX_DOCUMENTS_SINGLE} documents. Function: [{}], Argument: [{key}].",
                function.name()
            );
            return Err(Fault::Limit(message.into()));
        }
        self.usage.accessed.push(key.clone());
        Ok(())
    }
}

fn is_segment(text: &str) -> bool {
    !text.is_empty() && !text.contains('/')
}

fn service_failure(function: AccessFunction, path: &Path) -> Fault {
    Fault::failed(format!("Service call error. Function: [{}], Argument: [{path}].", function.name()))
}
