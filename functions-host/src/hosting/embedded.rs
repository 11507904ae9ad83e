//! The files of the application, which are part of the program.
//!
//! Release builds hold one form of each file. Texts, programs and TrueType fonts, which shrink by more than half, are there
//! as Brotli alone, as almost every client takes them; for the others they are decompressed. The pack of fonts is beside
//! the program (`font_pack`).

use std::borrow::Cow;
use std::io::Read as _;

use docstore::{Error, Result};
use rust_embed::RustEmbed;

/// Ending of the compressed form of a file, and its content coding.
pub(super) const BROTLI: (&str, &str) = (".br", "br");

/// Bytes of the buffer that decompresses.
const BUFFER_BYTES: usize = 16 * 1024;

/// The application, as built by the client, which compresses the kinds of files that are excluded here. Debug builds read
/// the folder at run time, so that a rebuilt client shows without rebuilding the server. A missing folder is an empty one.
#[derive(RustEmbed)]
#[folder = "../client/dist"]
#[allow_missing = true]
#[cfg_attr(not(debug_assertions), exclude = "fonts/cjk/*")]
#[cfg_attr(not(debug_assertions), exclude = "*.css")]
#[cfg_attr(not(debug_assertions), exclude = "*.html")]
#[cfg_attr(not(debug_assertions), exclude = "*.js")]
#[cfg_attr(not(debug_assertions), exclude = "*.json")]
#[cfg_attr(not(debug_assertions), exclude = "*.mjs")]
#[cfg_attr(not(debug_assertions), exclude = "*.node")]
#[cfg_attr(not(debug_assertions), exclude = "*.svg")]
#[cfg_attr(not(debug_assertions), exclude = "*.ttf")]
#[cfg_attr(not(debug_assertions), exclude = "*.txt")]
#[cfg_attr(not(debug_assertions), exclude = "*.wasm")]
pub(super) struct Application;

/// A file as the program holds it.
#[derive(Debug, Clone)]
pub(crate) struct Embedded {
    bytes: Cow<'static, [u8]>,
    is_compressed: bool,
    /// SHA-256 of the form that is held: of equal files it is equal.
    pub(crate) hash: [u8; 32],
}

impl Embedded {
    /// The file at `path`; `None` if there is none.
    pub(super) fn find<Files: RustEmbed>(path: &str) -> Option<Self> {
        Self::uncompressed::<Files>(path).or_else(|| Self::compressed::<Files>(path))
    }

    /// The uncompressed form of the file at `path`.
    pub(super) fn uncompressed<Files: RustEmbed>(path: &str) -> Option<Self> {
        Self::held::<Files>(path, false)
    }

    /// The compressed form of the file at `path`.
    pub(super) fn compressed<Files: RustEmbed>(path: &str) -> Option<Self> {
        Self::held::<Files>(&format!("{path}{}", BROTLI.0), true)
    }

    fn held<Files: RustEmbed>(path: &str, is_compressed: bool) -> Option<Self> {
        let file = Files::get(path)?;
        Some(Self { hash: file.metadata.sha256_hash(), bytes: file.data, is_compressed })
    }

    /// Paths below `prefix` with their files, each once.
    pub(super) fn below<Files: RustEmbed>(prefix: &str) -> impl Iterator<Item = (String, Self)> {
        Files::iter().filter(move |path| path.starts_with(prefix)).filter_map(|path| {
            let found = match path.strip_suffix(BROTLI.0) {
                // Its uncompressed form is listed, too.
                Some(stem) if Files::get(stem).is_some() => return None,
                Some(stem) => (stem.to_owned(), Self::held::<Files>(&path, true)?),
                None => (path.clone().into_owned(), Self::held::<Files>(&path, false)?),
            };
            Some(found)
        })
    }

    /// The bytes that the program holds.
    pub(super) fn into_held(self) -> Cow<'static, [u8]> {
        self.bytes
    }

    /// The file's content.
    ///
    /// # Errors
    /// The program is damaged.
    pub(crate) fn content(&self) -> Result<Cow<'_, [u8]>> {
        if self.is_compressed {
            decompress(&self.bytes).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(&self.bytes))
        }
    }

    #[cfg(test)]
    pub(crate) fn whole(bytes: &'static [u8]) -> Self {
        use sha2::Digest as _;
        Self { bytes: Cow::Borrowed(bytes), is_compressed: false, hash: sha2::Sha256::digest(bytes).into() }
    }
}

/// The content of a compressed form.
pub(super) fn decompress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    brotli_decompressor::Decompressor::new(bytes, BUFFER_BYTES)
        .read_to_end(&mut whole)
        .map_err(|error| Error::internal("ProgramDamaged", "a file in the program cannot be read", error))?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use rust_embed::RustEmbed;

    use super::{Embedded, decompress};

    /// As a release build has them: `both.js` in both forms, `packed.js` compressed alone.
    #[derive(RustEmbed)]
    #[folder = "src/hosting/testdata"]
    struct Fixture;

    #[test]
    fn a_file_that_is_there_compressed_alone_is_found_by_its_name() {
        for path in ["both.js", "packed.js"] {
            let content = Embedded::find::<Fixture>(path).unwrap().content().unwrap().into_owned();
            assert_eq!(content, format!("console.log('{path}');\n").repeat(20).as_bytes(), "{path}");
            let compressed = Embedded::compressed::<Fixture>(path).unwrap();
            assert!(compressed.is_compressed && compressed.into_held().len() < content.len(), "{path}");
        }
        assert!(Embedded::find::<Fixture>("missing.js").is_none());
    }

    #[test]
    fn every_file_is_listed_once() {
        let mut paths: Vec<String> = Embedded::below::<Fixture>("").map(|(path, _)| path).collect();
        paths.sort();
        assert_eq!(paths, ["both.js", "packed.js"]);
        assert_eq!(Embedded::below::<Fixture>("pack").count(), 1);
    }

    #[test]
    fn damage_is_an_error() {
        let whole = Embedded::compressed::<Fixture>("packed.js").unwrap().into_held().into_owned();
        assert!(decompress(&whole).is_ok());
        assert!(decompress(&whole[..whole.len() / 2]).is_err());
    }
}
