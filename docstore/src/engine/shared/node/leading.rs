//! The beginning and the end of a node's time as leader, and the signs of its life.

use std::sync::Arc;

use rand::RngExt as _;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use super::super::payload::{CopyPlace, encode};
use super::super::{BatchId, HEAD_MOVED, Head, NewBatch, OUTCOME_UNKNOWN, Position, SharedLog as _};
use super::copy::catch_up;
use super::{HEARTBEAT, MAX_WAIT, Node, Place, RETRY, Standing, TAKE_OVER_AFTER};
use crate::engine::{Author, Batch, Commit, Term};
use crate::{Code, Error, Result};

/// Most changes of the head that a start looks at before it says that another node leads.
const MOST_MOVES: usize = 4;

impl Node {
    /// Takes over as soon as nobody else leads, and begins the term with a commit of its own.
    ///
    /// # Errors
    /// `FailedPrecondition` (`AnotherLeads`) when another node shows life; those of the log.
    pub(super) async fn lead(&self) -> Result<Term> {
        let mut place = self.place.lock().await;
        for _ in 0..MOST_MOVES {
            let head = self.free_head(&mut place).await?;
            let asked = Instant::now();
            let taken = match self.log.take_over(&head).await {
                Err(error) if error.tag() == HEAD_MOVED => continue,
                // It may have happened: the head says so. A request that is still on its way moves nothing any more once
                // the next one has succeeded.
                Err(error) if error.tag() == OUTCOME_UNKNOWN => continue,
                taken => taken?,
            };
            if taken.position != place.at {
                continue;
            }
            self.standing.send_replace(Standing::Leads {
                begun: taken.term,
                term: taken.term,
                renewed: asked,
                unusable: false,
            });
            tracing::info!(term = taken.term.0, node = %self.id, "this node leads on the shared store");
            self.append_held(taken.term, vec![self.empty_commit(place.at)], None, &mut place).await?;
            return Ok(taken.term);
        }
        Err(another_leads(&self.log.head().await?))
    }

    /// The head at the copy's place, once nobody leads.
    async fn free_head(&self, place: &mut Place) -> Result<Head> {
        let mut head = self.up_to_date(place).await?;
        let mut since = Instant::now();
        let (mut moves, mut waits) = (0, false);
        loop {
            if head.term == Term(0) || head.leader == self.id || place.leaves {
                return Ok(head);
            }
            if since.elapsed() >= TAKE_OVER_AFTER {
                tracing::warn!(leader = %head.leader, "the node that led shows no sign of life: this one takes over");
                return Ok(head);
            }
            if !std::mem::replace(&mut waits, true) {
                tracing::info!(leader = %head.leader, "another node has led: waiting for a sign of its life");
            }
            sleep(RETRY).await;
            let now = self.up_to_date(place).await?;
            let same = |a: &Head, b: &Head| {
                (a.term, a.leader, a.position, a.beat) == (b.term, b.leader, b.position, b.beat)
            };
            if !same(&now, &head) {
                moves += 1;
                if moves >= MOST_MOVES {
                    return Err(another_leads(&now));
                }
                (head, since) = (now, Instant::now());
            }
        }
    }

    async fn up_to_date(&self, place: &mut Place) -> Result<Head> {
        loop {
            let head = self.log.head().await?;
            if head.position == place.at {
                return Ok(head);
            }
            catch_up(&self.copy, &self.log, self.cluster, place).await?;
        }
    }

    /// A commit that changes nothing.
    pub(super) fn empty_commit(&self, after: Position) -> Arc<Commit> {
        let ts = self.clock.now().max(after.ts.next().next());
        Arc::new(Commit::new(after.ts, ts, Vec::new(), None, Vec::new()).by(Author::System))
    }

    /// The batch after a place.
    pub(super) fn batch(&self, batch: &Batch, leaves: bool, prev: Position) -> NewBatch {
        let ts = batch.last().map_or(prev.ts, |commit| commit.ts);
        let position = Position { ts, batch: BatchId(rand::rng().random()) };
        NewBatch { position, prev, payload: encode(batch, leaves) }
    }

    /// Takes in a batch that the log has.
    pub(super) fn stored(&self, batch: Batch, position: Position, leaves: bool, place: &mut Place) {
        let copied = CopyPlace { cluster: self.cluster, batch: position.batch, leaves };
        self.copy.take_in(batch, copied.to_bytes());
        *place = Place { at: position, leaves };
    }

    /// Shows life each second, until the node does not lead any more.
    pub(super) async fn keep_heartbeat(self: Arc<Self>) {
        let mut ticks = interval(HEARTBEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            // Whoever appends shows life.
            let Ok(place) = self.place.try_lock() else { continue };
            let Standing::Leads { term, .. } = *self.standing.borrow() else { return };
            let asked = Instant::now();
            let beaten = async {
                self.log.beat(term).await?;
                self.log.head().await
            };
            match beaten.await {
                Ok(head) if head.position == place.at && head.term == term => self.renewed(term, asked),
                Ok(head) => self.step_down(&format!(
                    "the database has lost commits that it had acknowledged: this node has them up to {}, the database \
                     goes on from {}. It was restored from a backup, or a standby that lagged behind was promoted. This \
                     node serves nothing any more: start it again, and it begins anew from the database",
                    place.at.ts, head.position.ts
                )),
                Err(error) if error.tag() == "Fenced" => self.lost(),
                Err(error) => self.unheard(&error),
            }
        }
    }

    /// Steps down because another node leads.
    pub(super) fn lost(&self) {
        self.step_down(
            "another node has taken over the shared store: this one acknowledges and serves nothing any more. Start it again \
             when the other one has stopped",
        );
    }

    /// Leaves the term with a last batch that says so.
    pub(super) async fn leave(&self) {
        let Ok(mut place) = timeout(MAX_WAIT, self.place.lock()).await else { return };
        let Standing::Leads { term, .. } = *self.standing.borrow() else { return };
        let commits = vec![self.empty_commit(place.at)];
        let new = self.batch(&commits, true, place.at);
        let position = new.position;
        match self.log.append(term, new).await {
            Ok(()) => self.stored(commits, position, true, &mut place),
            // The next node waits a little longer.
            Err(error) => tracing::warn!(%error, "the next node was not told that this one stops"),
        }
        self.standing.send_replace(Standing::Left("this node is stopping".to_owned()));
    }
}

fn another_leads(head: &Head) -> Error {
    Error::new(
        Code::FailedPrecondition,
        "AnotherLeads",
        format!(
            "another Tuckbox ({}) serves from this database. In this version one node serves at a time: stop the other one; \
             if it has crashed, start this one again in {} seconds",
            head.leader,
            TAKE_OVER_AFTER.as_secs() + 1
        ),
    )
}
