//! Files that versions show: `projects/{p}/versionFiles/{folder}:{name}` stands for a file among the project's own, which
//! nobody deletes or overwrites as long as it is there. So a version needs no copies of pictures and fonts.

use std::collections::BTreeSet;

use docstore::database::Database;
use docstore::model::{CollectionPath, Cursor, DocPath, FieldPath, Fields, Query, Value, Write};
use docstore::{Code, Result};

use super::contents::in_order;
use super::limits::{BATCH, PAGE};
use super::turn::Turn;
use super::{Versions, text};
use crate::file_address::Address;
use crate::functions::callable::CallError;

/// Collection of the files, below a project.
pub(super) const COLLECTION: &str = "versionFiles";

/// Folders of a project's own files, and collections of the documents that show them.
const FOLDERS: [&str; 2] = ["images", "fonts"];

/// Name of the file that a document of a project shows, if it is one of the project's own: its folder, a colon, and its
/// name there.
pub(super) fn shown(project: &DocPath, path: &str, fields: &Fields) -> Option<String> {
    let folder = FOLDERS.into_iter().find(|folder| {
        path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).is_some_and(|id| !id.contains('/'))
    })?;
    let file = text(fields, "file")?;
    let name =
        file.strip_prefix(project.as_str())?.strip_prefix('/')?.strip_prefix(folder)?.strip_prefix('/')?;
    (!name.is_empty() && !name.contains('/')).then(|| format!("{folder}:{name}"))
}

/// The bucket that a document's address names.
pub(super) fn bucket(fields: &Fields) -> Option<String> {
    Some(Address::parse(text(fields, "url")?)?.bucket)
}

fn collection(project: &DocPath) -> Result<CollectionPath> {
    project.child(COLLECTION)
}

/// Those of the files that nothing keeps yet, and the writes that keep them. Each has its bucket.
///
/// # Errors
/// Those of the store.
pub(super) async fn to_keep(
    database: &Database,
    project: &DocPath,
    files: &[(String, String)],
) -> Result<Vec<Write>> {
    let collection = collection(project)?;
    let mut writes = Vec::new();
    for some in files.chunks(BATCH) {
        let paths = some.iter().map(|(name, _)| collection.doc(name)).collect::<Result<Vec<_>>>()?;
        let found = database.get(&paths, None).await?.value;
        for ((path, found), (_, bucket)) in paths.into_iter().zip(found).zip(some) {
            if found.is_none() {
                let fields = Fields::from([("bucket".to_owned(), Value::String(bucket.clone()))]);
                writes.push(Write::set(path, fields));
            }
        }
    }
    Ok(writes)
}

impl Versions {
    /// Lets go of the files that no version shows; those that the project does not show either are deleted.
    ///
    /// # Errors
    /// Those of the stores; what was deleted by then stays deleted, and another call goes on.
    pub(super) async fn release_files(
        &self,
        project: &DocPath,
        shown: &BTreeSet<String>,
        turn: &mut Turn,
    ) -> Result<(), CallError> {
        let kept = self.documents_in(&collection(project)?, &["bucket"]).await?;
        let released: Vec<_> = kept.into_iter().filter(|(path, _)| !shown.contains(path.id())).collect();
        if released.is_empty() {
            return Ok(());
        }
        let mut used = BTreeSet::new();
        for folder in FOLDERS {
            for (path, fields) in self.documents_in(&project.child(folder)?, &["file"]).await? {
                let path = format!("{folder}/{}", path.id());
                used.extend(self::shown(project, &path, &fields));
            }
        }
        for some in released.chunks(BATCH) {
            for (path, fields) in some.iter().filter(|(path, _)| !used.contains(path.id())) {
                let Some((folder, name)) = path.id().split_once(':') else { continue };
                let name = format!("{project}/{folder}/{name}");
                match self.files.remove(text(fields, "bucket").unwrap_or_default(), &name).await {
                    Ok(()) => {}
                    // It is gone, or its name never was one.
                    Err(error) if matches!(error.code(), Code::NotFound | Code::InvalidArgument) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            // Last: what is not finished is found again.
            turn.commit(some.iter().map(|(path, _)| Write::delete(path.clone())).collect()).await?;
        }
        Ok(())
    }

    /// Some fields of all documents of a collection.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn documents_in(
        &self,
        collection: &CollectionPath,
        fields: &[&str],
    ) -> Result<Vec<(DocPath, Fields)>> {
        let select = fields.iter().map(|name| FieldPath::parse(name)).collect::<Result<Vec<_>>>()?;
        let mut query = Query { select: Some(select), limit: Some(PAGE), ..in_order(collection) };
        let mut all = Vec::new();
        loop {
            let page = self.database.run(&query, None).await?.documents;
            let Some(last) = page.last() else { return Ok(all) };
            query.start = Some(Cursor::after_name(self.database.id(), last.path.clone()));
            all.extend(page.into_iter().map(|document| (document.path, document.fields)));
        }
    }
}
