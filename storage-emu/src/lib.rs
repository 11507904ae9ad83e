//! Firebase Storage and the Cloud Storage JSON API over an object store.
