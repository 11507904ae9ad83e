//! The cross-origin policy of Firestore's transports.

use tuckbox_cors::{Policy, Preflights, WithoutOrigin};

/// Firestore's own, on every reply, errors included. No cookie grants anything here: what a caller may do depends on the
/// bearer token alone, which another origin's page does not have.
pub(super) const CORS: Policy = Policy {
    methods: "DELETE,GET,HEAD,PATCH,POST,PUT",
    // Chromium honours two hours at most.
    max_age: "7200",
    // Read by the browser's WebChannel.
    exposed: "x-client-wire-protocol,x-http-session-id,x-http-initial-response",
    credentials: true,
    private_network: false,
    preflights: Preflights::Complete,
    without_origin: WithoutOrigin::Untouched,
    vary: "Origin",
    vary_preflight: "",
};
