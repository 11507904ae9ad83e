//! WebChannel: a two-way message stream for browsers over plain requests.
//!
//! A session is opened by a POST, then messages go up by POSTs (the forward channel) and down on one long GET
//! (the back channel). [`session`] is the state machine; [`channel`] ties one to a call of the service;
//! [`http`] answers the requests, and [`crowd`] lets the back channels of a browser take turns.

mod channel;
mod crowd;
mod form;
mod framing;
mod http;
mod session;

pub(super) use channel::Sessions;
pub(super) use form::Form;
pub(super) use http::handle;

/// Decodes a query string.
pub(super) fn query_pairs(query: &str) -> crate::error::Result<Vec<(String, String)>> {
    form::pairs(query.as_bytes())
}
