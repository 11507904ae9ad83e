//! Paths: `/databases/(default)/documents/users/alice`, perhaps with holes to bind.

use std::fmt;
use std::sync::Arc;

/// A path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Arc<[PathPiece]>);

/// One piece of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathPiece {
    /// A segment.
    Segment(Arc<str>),
    /// A named hole.
    Hole {
        /// Its name.
        name: Arc<str>,
        /// True if it takes a whole path rather than one segment.
        recursive: bool,
        /// The value bound to it.
        bound: Option<Arc<[Arc<str>]>>,
    },
}

impl Path {
    /// A path of these segments, which may be empty.
    pub fn from_segments<S: Into<Arc<str>>>(segments: impl IntoIterator<Item = S>) -> Self {
        Self(segments.into_iter().map(|segment| PathPiece::Segment(segment.into())).collect())
    }

    pub(crate) fn from_pieces(pieces: Vec<PathPiece>) -> Self {
        Self(pieces.into())
    }

    /// A path from its text, such as `/users/{uid}`; the first slash may be missing.
    ///
    /// # Errors
    /// A message about the first fault in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Empty Path Template is not allowed.".into());
        }
        let mut pieces = Vec::new();
        for part in text.strip_prefix('/').unwrap_or(text).split('/') {
            if part.is_empty() {
                return Err(format!("Invalid Path Template {text}. Empty segment is not allowed."));
            }
            pieces.push(match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                Some(hole) => {
                    let (name, recursive) = match hole.split_once('=') {
                        Some((name, "**")) => (name, true),
                        Some((name, _)) => (name, false),
                        None => (hole, false),
                    };
                    PathPiece::Hole { name: name.into(), recursive, bound: None }
                }
                None => PathPiece::Segment(part.into()),
            });
        }
        Ok(Self(pieces.into()))
    }

    /// The pieces.
    pub fn pieces(&self) -> &[PathPiece] {
        &self.0
    }

    /// The segments, bound holes filled in and others left out.
    pub fn segments(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter().flat_map(|piece| match piece {
            PathPiece::Segment(segment) => std::slice::from_ref(segment),
            PathPiece::Hole { bound, .. } => bound.as_deref().unwrap_or(&[]),
        })
    }

    pub(crate) fn bind(
        &self,
        mut value_of: impl FnMut(&str, bool) -> Result<Option<Arc<[Arc<str>]>>, String>,
    ) -> Result<Self, String> {
        let bind = |piece: &PathPiece| match piece {
            PathPiece::Hole { name, recursive, .. } => Ok(value_of(name, *recursive)?.map_or_else(
                || piece.clone(),
                |value| PathPiece::Hole { name: name.clone(), recursive: *recursive, bound: Some(value) },
            )),
            PathPiece::Segment(_) => Ok(piece.clone()),
        };
        Ok(Self(self.0.iter().map(bind).collect::<Result<_, String>>()?))
    }

    pub(crate) fn has_hole(&self, wanted: &str) -> bool {
        self.0.iter().any(|piece| matches!(piece, PathPiece::Hole { name, .. } if **name == *wanted))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &*self.0 {
            match piece {
                PathPiece::Segment(segment) => write!(f, "/{segment}")?,
                PathPiece::Hole { bound: Some(segments), .. } => {
                    for segment in &**segments {
                        write!(f, "/{segment}")?;
                    }
                }
                PathPiece::Hole { name, recursive: true, .. } => write!(f, "/{{{name}=**}}")?,
                PathPiece::Hole { name, .. } => write!(f, "/{{{name}}}")?,
            }
        }
        Ok(())
    }
}
