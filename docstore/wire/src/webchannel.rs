//! WebChannel: a two-way message stream for browsers over plain requests.
//!
//! A session is opened by a POST, then messages go up by POSTs (the forward channel) and down on one long GET
//! (the back channel). [`session`] is the state machine, with [`inbox`] for what goes up; [`channel`] ties one to a call
//! of the service; [`http`] answers the requests, and [`back_channel_limiter`] shares a browser's few connections among its
//! back channels.

mod back_channel_limiter;
mod channel;
mod form;
mod framing;
mod http;
mod inbox;
mod session;

pub(super) use channel::Sessions;
pub(super) use form::Form;
pub(super) use http::handle;

/// Decodes a query string.
pub(super) fn query_pairs(query: &str) -> docstore::error::Result<Vec<(String, String)>> {
    form::pairs(query.as_bytes())
}

/// Brings the messages of one request to a session twice and reads them back, as they came.
pub(super) fn replay(form: &Form) -> docstore::error::Result<Vec<String>> {
    let budget = docstore::budget::Budget::new(inbox::MAX_SHARED_BYTES);
    let mut session = session::Session::new(session::PORTIONS, form.offset, &budget, &budget);
    for _ in 0..2 {
        session.receive(None, form.offset, form.maps.clone())?;
    }
    Ok(std::iter::from_fn(|| session.pop_message()).collect())
}
