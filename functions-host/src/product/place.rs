//! Places of layouts and of what they show: a project, or the library of an account.

use docstore::database::Database;
use docstore::model::{CollectionPath, DocPath, Document, Value};
use docstore::session::Session;
use docstore::{Code, Error, Result};
use serde::Deserialize;

use crate::functions::callable::CallError;
use crate::{library, project};

/// A place as callers name it.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    /// A project.
    project: Option<String>,
    /// Account whose library it is, where no project is named.
    owner: Option<String>,
}

impl Named {
    /// The place; `None` if none is named.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no id.
    pub(super) fn place(&self) -> Result<Option<Place>, CallError> {
        match (&self.project, &self.owner) {
            (Some(id), _) => match project::path(id) {
                Ok(project) => Ok(Some(Place::Project(project))),
                Err(error) => Err(CallError::invalid(format!("project: {}", error.message()))),
            },
            (None, Some(uid)) => Place::library(uid).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// A place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// A project, by its document.
    Project(DocPath),
    /// The library of an account.
    Library(String),
}

impl Place {
    /// The library of an account.
    ///
    /// # Errors
    /// `InvalidArgument` for an id that cannot own documents.
    pub(super) fn library(uid: &str) -> Result<Self, CallError> {
        if uid.contains('/') {
            return Err(CallError::invalid("The user's id cannot own documents."));
        }
        Ok(Self::Library(uid.to_owned()))
    }

    /// A layout of the place as somebody may read it, by its link too.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no id, `NotFound`, `PermissionDenied`; those of the store.
    pub(super) async fn read_layout(&self, session: &Session, id: &str) -> Result<Document, CallError> {
        let wrong = |error: Error| CallError::invalid(format!("This names no layout: {}", error.message()));
        if id.contains('/') {
            return Err(CallError::invalid("This names no layout: an id has no slash."));
        }
        let path = self.layouts().and_then(|layouts| layouts.doc(id)).map_err(wrong)?;
        let found = session.get(&[path], None).await?.value.into_iter().flatten().next();
        found.ok_or_else(|| CallError::new(Code::NotFound, "There is no such layout."))
    }

    /// The place where the files of this one lie: those that an opened version shows lie with its project.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn of_files(&self, database: &Database) -> Result<Self> {
        let Self::Project(project) = self else { return Ok(self.clone()) };
        let found = project::find(database, project.id()).await?;
        match found.and_then(|mut found| found.fields.remove(project::FROZEN_OF)) {
            Some(Value::String(of)) => project::path(&of).map(Self::Project),
            _ => Ok(self.clone()),
        }
    }

    /// Its layouts.
    ///
    /// # Errors
    /// `InvalidArgument` for an id that cannot own documents.
    pub(super) fn layouts(&self) -> Result<CollectionPath> {
        match self {
            Self::Project(project) => project.child("layouts"),
            Self::Library(uid) => library::layouts(uid),
        }
    }

    /// Its images.
    ///
    /// # Errors
    /// `InvalidArgument` for an id that cannot own documents.
    pub(super) fn images(&self) -> Result<CollectionPath> {
        match self {
            Self::Project(project) => project.child("images"),
            Self::Library(uid) => library::images(uid),
        }
    }

    /// Folder of the files of its images.
    pub(super) fn image_files(&self) -> String {
        match self {
            Self::Project(project) => format!("{project}/images"),
            Self::Library(uid) => library::image_files(uid),
        }
    }

    /// Folder of the files of its fonts. Those of a project have documents in the collection of the same path.
    pub(super) fn font_files(&self) -> String {
        match self {
            Self::Project(project) => format!("{project}/fonts"),
            Self::Library(uid) => library::font_files(uid),
        }
    }
}
