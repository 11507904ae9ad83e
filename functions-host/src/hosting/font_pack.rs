//! The fonts for Chinese, Japanese and Korean: a folder beside the program, because they are a third of its size and most
//! games need none of them. The application asks for its list when a card first has such a character.

use std::path::{Path, PathBuf};

use super::folder::Folder;
use super::site::File;

/// Path of the pack in the application.
pub(super) const PREFIX: &str = "fonts/cjk/";

/// Name of the folder beside the program.
const FOLDER: &str = "fonts-cjk";

/// The file that every pack has: the fonts with their characters.
const LIST: &str = "families.json";

/// The environment variable that tells the export program the folder.
const VARIABLE: &str = "TUCKBOX_FONT_PACK";

/// The environment of programs that set text; empty without a pack.
pub(crate) fn environment() -> Option<(&'static str, PathBuf)> {
    found().map(|folder| (VARIABLE, folder))
}

/// The file at `path`, which begins with [`PREFIX`].
pub(super) async fn load(path: &str) -> Option<File> {
    load_from(found()?, path).await
}

async fn load_from(folder: PathBuf, path: &str) -> Option<File> {
    let file = Folder::new(folder).load(path.strip_prefix(PREFIX)?).await?;
    // By its own name in the site; it belongs to the application as the built-in fonts do.
    Some(File { path: path.to_owned(), built_in: true, ..file })
}

/// The pack's folder. It is looked for anew each time, so that one may be installed while the server runs.
fn found() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let built = cfg!(debug_assertions)
        .then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/dist").join(PREFIX));
    places(&program).into_iter().chain(built).find_map(|place| whole(&place))
}

/// Beside the program, and where packages put what does not depend on the machine.
fn places(program: &Path) -> Vec<PathBuf> {
    // A link in the path leads to the program that was unpacked with its pack.
    let own = program.canonicalize().ok();
    [Some(program), own.as_deref()]
        .into_iter()
        .flatten()
        .filter_map(Path::parent)
        .flat_map(|folder| [folder.join(FOLDER), folder.join("../share/tuckbox").join(FOLDER)])
        .collect()
}

/// The folder by its canonical path, if it is a pack.
fn whole(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.join(LIST).is_file().then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::{load_from, places, whole};

    #[test]
    fn a_pack_is_a_folder_with_its_list_beside_the_program_or_among_shared_files() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let program = root.join("bin/tuckbox");
        let found = || places(&program).iter().find_map(|place| whole(place));
        std::fs::create_dir_all(root.join("bin")).unwrap();
        std::fs::write(&program, "").unwrap();
        assert_eq!(found(), None);

        let shared = root.join("share/tuckbox/fonts-cjk");
        std::fs::create_dir_all(&shared).unwrap();
        assert_eq!(found(), None, "it has no list");
        std::fs::write(shared.join("families.json"), "{}").unwrap();
        assert_eq!(found(), Some(shared));

        let beside = root.join("bin/fonts-cjk");
        std::fs::create_dir_all(&beside).unwrap();
        std::fs::write(beside.join("families.json"), "{}").unwrap();
        assert_eq!(found(), Some(beside), "the nearest counts");
    }

    #[tokio::test]
    async fn files_of_a_pack_have_the_paths_of_the_application_and_nothing_else_is_served() {
        let root = tempfile::tempdir().unwrap();
        let pack = root.path().canonicalize().unwrap().join("fonts-cjk");
        std::fs::create_dir(&pack).unwrap();
        std::fs::write(pack.join("a-0123ABCD.woff2"), "font").unwrap();
        std::fs::write(root.path().join("secret"), "secret").unwrap();
        let load = |path: &'static str| load_from(pack.clone(), path);
        let file = load("fonts/cjk/a-0123ABCD.woff2").await.unwrap();
        assert_eq!((file.path.as_str(), file.built_in), ("fonts/cjk/a-0123ABCD.woff2", true));
        for path in ["fonts/cjk/../secret", "fonts/cjk/", "fonts/cjk/b.woff2", "fonts/a-0123ABCD.woff2"] {
            assert!(load(path).await.is_none(), "{path}");
        }
    }
}
