//! Replies to a listener.

use std::sync::Arc;

use crate::convert::document::from_document;
use crate::convert::time::from_ts;
use crate::pb::v1;
use crate::pb::v1::listen_response::ResponseType;
use crate::pb::v1::target_change::TargetChangeType;
use crate::service::bloom::bloom_filter;
use crate::service::commit::to_rpc_status;
use crate::service::token::resume_token;
use docstore::error::Error;
use docstore::model::{DatabaseId, DocPath, Ts};
use docstore::watch::{TargetId, WatchEvent};

/// The message for an event.
pub(super) fn to_response(id: &DatabaseId, event: WatchEvent) -> v1::ListenResponse {
    let response = match event {
        WatchEvent::Added(target) => return change(TargetChangeType::Add, target),
        WatchEvent::Removed(target, cause) => return removed(target, cause.as_ref()),
        WatchEvent::Reset(target) => return change(TargetChangeType::Reset, target),
        WatchEvent::Current(target, ts) => at(TargetChangeType::Current, vec![target], ts, ts),
        // Without a read time, which is the cut's: it is told of all targets, next.
        WatchEvent::Advanced(targets, ts) => ResponseType::TargetChange(v1::TargetChange {
            target_ids: targets,
            resume_token: resume_token(ts),
            ..Default::default()
        }),
        WatchEvent::Snapshot(ts) => at(TargetChangeType::NoChange, vec![], ts, ts.next()),
        // Without a token: clients give a cut's to all their targets, also to those that have nothing yet.
        WatchEvent::Interim(ts) => ResponseType::TargetChange(v1::TargetChange {
            read_time: Some(from_ts(ts.next())),
            ..Default::default()
        }),
        WatchEvent::Changed { document, targets, removed } => {
            ResponseType::DocumentChange(v1::DocumentChange {
                document: Some(from_document(id, Arc::unwrap_or_clone(document), None)),
                target_ids: targets,
                removed_target_ids: removed,
            })
        }
        WatchEvent::Deleted { path, read_time, targets } => {
            ResponseType::DocumentDelete(v1::DocumentDelete {
                document: id.document_name(&path),
                removed_target_ids: targets,
                read_time: Some(from_ts(read_time)),
            })
        }
        WatchEvent::Gone { path, read_time, targets } => ResponseType::DocumentRemove(v1::DocumentRemove {
            document: id.document_name(&path),
            removed_target_ids: targets,
            read_time: Some(from_ts(read_time)),
        }),
        WatchEvent::Filter { id: target, count, present, absent } => {
            ResponseType::Filter(filter(id, target, count, &present, &absent))
        }
    };
    v1::ListenResponse { response_type: Some(response) }
}

/// The end of a target: asked for, or for a cause.
pub(super) fn removed(target: TargetId, cause: Option<&Error>) -> v1::ListenResponse {
    let mut response = change(TargetChangeType::Remove, target);
    if let Some(ResponseType::TargetChange(change)) = &mut response.response_type {
        change.cause = cause.map(to_rpc_status);
    }
    response
}

fn change(kind: TargetChangeType, target: TargetId) -> v1::ListenResponse {
    let change =
        v1::TargetChange { target_change_type: kind.into(), target_ids: vec![target], ..Default::default() };
    v1::ListenResponse { response_type: Some(ResponseType::TargetChange(change)) }
}

/// A statement about a time: everything up to `ts` was told, and it can be resumed from.
///
/// A cut's read time is later than the commits in it. Tabs that share a cache ask it for what was read after what they
/// know; the tab that writes keeps its own write there as read at its commit time until the stream brings it. With one
/// time for both, a tab that looks in between never learns that the write is no longer pending.
fn at(kind: TargetChangeType, target_ids: Vec<TargetId>, ts: Ts, read_time: Ts) -> ResponseType {
    ResponseType::TargetChange(v1::TargetChange {
        target_change_type: kind.into(),
        target_ids,
        cause: None,
        resume_token: resume_token(ts),
        read_time: Some(from_ts(read_time)),
    })
}

fn filter(
    id: &DatabaseId,
    target_id: TargetId,
    count: u32,
    present: &[DocPath],
    absent: &[DocPath],
) -> v1::ExistenceFilter {
    let names = |paths: &[DocPath]| paths.iter().map(|path| id.document_name(path)).collect::<Vec<_>>();
    v1::ExistenceFilter {
        target_id,
        count: i32::try_from(count).unwrap_or(i32::MAX),
        // All that match, whatever the field is called: clients drop what they hold and do not find here.
        unchanged_names: bloom_filter(&names(present), &names(absent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token of some targets names them and ends no cut: what has no targets is true of all, and what has a read time
    /// and no targets ends one.
    #[test]
    fn a_token_of_some_targets_is_no_cut() {
        let id = DatabaseId::new("p", "d");
        let change = |event| match to_response(&id, event).response_type {
            Some(ResponseType::TargetChange(change)) => change,
            other => panic!("{other:?}"),
        };
        let ts = Ts::from_micros(7);
        let token = change(WatchEvent::Advanced(vec![2, 4], ts));
        assert_eq!((token.target_ids, token.read_time), (vec![2, 4], None));
        assert_eq!(token.resume_token, change(WatchEvent::Snapshot(ts)).resume_token);
        let end = change(WatchEvent::Interim(ts));
        assert!(end.target_ids.is_empty() && end.resume_token.is_empty() && end.read_time.is_some());
    }
}
