//! Restricts publishing, tasks and dead letters in serving mode to the server's own programs.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use docstore::access::{Authenticator, Caller};
use docstore::{Code, Error};
use http::HeaderValue;
use http::header::AUTHORIZATION;

use super::endpoints::failed;

/// Admits administrators only.
#[derive(Clone)]
pub(crate) struct Guard {
    authenticator: Arc<dyn Authenticator>,
    project: Arc<str>,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("project", &self.project).finish_non_exhaustive()
    }
}

impl Guard {
    /// For the administrators of `project`.
    pub(crate) fn new(authenticator: Arc<dyn Authenticator>, project: String) -> Self {
        Self { authenticator, project: project.into() }
    }

    /// Wraps every route of `router`.
    pub(crate) fn over(&self, router: Router) -> Router {
        let guard = self.clone();
        router.route_layer(from_fn(move |request: Request, next: Next| {
            let guard = guard.clone();
            async move {
                match guard.refuses(request.headers().get(AUTHORIZATION).cloned()).await {
                    Some(error) => failed(&error),
                    None => next.run(request).await,
                }
            }
        }))
    }

    async fn refuses(&self, authorization: Option<HeaderValue>) -> Option<Error> {
        let header = authorization.as_ref().and_then(|value| value.to_str().ok());
        match self.authenticator.authenticate(&self.project, header).await {
            Ok(Caller::Admin) => None,
            Ok(Caller::User(_)) => {
                Some(Error::new(Code::PermissionDenied, "NotAdmin", "this is for the server's own functions"))
            }
            Ok(Caller::Anonymous) => {
                Some(Error::new(Code::Unauthenticated, "NotAdmin", "this is for the server's own functions"))
            }
            Err(error) => Some(error),
        }
    }
}
