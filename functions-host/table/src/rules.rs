//! The rules of handling: every verb turns an act into changes, or refuses it and changes nothing.

mod button;
mod draft;
mod edit;
mod formula;
mod look;
mod people;
mod piles;
mod place;
mod reach;
mod restore;
mod undo;
mod values;

use crate::act::{Act, Refusal, Verb};
use crate::chance::Chance;
use crate::game_box::{BoxChange, GameBox};
use crate::ids::{PieceNo, SeatNo};
use crate::limits;
use crate::log::{Draws, Entry};
use crate::model::{Change, Revision, Table};
use draft::Draft;
use std::collections::{BTreeSet, VecDeque};

/// A table of a version would show something else if its cards changed.
const OF_VERSION: Refusal = Refusal::NotPossible(
    "This table has the cards of a version of the project, which stay as they were. Open another table for the project as it is.",
);

/// Things beside the table that an act needs.
pub(crate) struct Context<'a> {
    pub(crate) game_box: &'a GameBox,
    pub(crate) chance: &'a mut Chance,
    /// The last entries, oldest first.
    pub(crate) log: &'a VecDeque<Entry>,
    /// Milliseconds since the epoch.
    pub(crate) at: u64,
    /// Set to the work of the act, refused or not.
    pub(crate) work: &'a mut usize,
}

/// Does an act. The table is as before if it is refused.
pub(crate) fn act(
    table: &mut Table,
    by: SeatNo,
    act: &Act<PieceNo>,
    context: Context<'_>,
) -> Result<Entry, Refusal> {
    let Context { game_box, chance, log, at, work } = context;
    *work = act.pieces.len();
    if act.pieces.len() > limits::PIECES_OF_ACT {
        return Err(Refusal::Limit("pieces in one act", limits::PIECES_OF_ACT));
    }
    if table.ended && !matches!(act.verb, Verb::Mark { .. } | Verb::Leave { .. }) {
        return Err(Refusal::Ended);
    }
    if !table.seats.contains_key(&by) {
        return Err(Refusal::NotAllowed("Observers only watch. Take a seat to play."));
    }
    let distinct: BTreeSet<_> = act.pieces.iter().chain(&act.into).collect();
    if distinct.len() != act.pieces.len() + usize::from(act.into.is_some()) {
        return Err(Refusal::Malformed("The act names a piece twice."));
    }
    let from = chance.counter();
    let mut draft = Draft::new(table, game_box, chance, by, at);
    let done = apply(&mut draft, act, log).and_then(|undoes| draft.check_size().map(|()| undoes));
    *work += draft.work();
    let undoes = match done {
        Ok(undoes) => undoes,
        Err(refusal) => {
            draft.roll_back();
            return Err(refusal);
        }
    };
    let faces = draft.faces_shown();
    let n = draft.n;
    let (changes, notes) = draft.finish();
    let draws = Draws { from, count: chance.counter() - from };
    Ok(Entry { n, at, by, act: act.clone(), changes, draws, notes, undoes, faces })
}

/// Takes a change of the box: by the table itself, or by a seat that leads it.
pub(crate) fn update(table: &mut Table, by: SeatNo, change: &BoxChange, at: u64) -> Result<Entry, Refusal> {
    if table.ended {
        return Err(Refusal::Ended);
    }
    if by != SeatNo::TABLE && !table.leads(by) {
        return Err(Refusal::NotAllowed("Only hosts take changes of the project's cards."));
    }
    if table.settings.version.is_some() {
        return Err(OF_VERSION);
    }
    let bytes = serde_json::to_vec(change).map_err(|_| Refusal::Internal)?.len();
    let was = table.revision;
    let now = Revision { no: was.no + 1, bytes: was.bytes + bytes as u64 };
    if bytes > limits::CHANGE_BYTES || now.no > limits::REVISIONS || now.bytes > limits::REVISION_BYTES {
        return Err(Refusal::NotPossible(
            "The project has changed more than this table can follow. Open another one.",
        ));
    }
    let cards = Change::Cards {
        was,
        now,
        definitions: change.definitions.keys().copied().collect(),
        backs: change.backs.keys().copied().collect(),
        common: change.common.is_some(),
    };
    let n = table.n + 1;
    table.apply(n, &cards, &mut Vec::new()).map_err(|_| Refusal::Internal)?;
    table.n = n;
    Ok(Entry {
        n,
        at,
        by,
        act: Act::new(Verb::Update { hash: change.hash() }),
        changes: vec![cards],
        draws: Draws::default(),
        notes: Vec::new(),
        undoes: Vec::new(),
        faces: 0,
    })
}

fn apply(draft: &mut Draft<'_>, act: &Act<PieceNo>, log: &VecDeque<Entry>) -> Result<Vec<u64>, Refusal> {
    let pieces = &act.pieces;
    let into = || act.into.ok_or(Refusal::Malformed("The act needs a container (`into`)."));
    match &act.verb {
        Verb::Move { to, face, turn } => place::move_to(draft, pieces, *to, (*face, *turn))?,
        Verb::Drop { at, xy, face } => place::drop_into(draft, pieces, into()?, (*at, *xy), *face)?,
        Verb::Flip { face } => place::flip(draft, pieces, *face)?,
        Verb::Turn { by } => place::turn(draft, pieces, *by)?,
        Verb::Spin => place::spin(draft, pieces)?,
        Verb::Give { to } => place::give(draft, pieces, *to)?,
        Verb::Take { count } => place::take(draft, into()?, *count)?,
        Verb::Draw { count } => place::draw(draft, into()?, *count)?,
        Verb::Deal { count, seats } => place::deal_verb(draft, into()?, *count, seats.as_deref())?,
        Verb::Reorder { at } => place::reorder(draft, pieces, *at)?,
        Verb::Stack => piles::stack(draft, pieces, act.into)?,
        Verb::Unstack => piles::unstack(draft, into()?)?,
        Verb::Shuffle => piles::shuffle(draft, pieces, act.into)?,
        Verb::Cut { at } => piles::cut(draft, into()?, *at)?,
        Verb::Search { open } => look::search(draft, into()?, *open)?,
        Verb::Peek { count } => look::peek(draft, pieces, act.into, *count)?,
        Verb::Show { to } => look::show(draft, pieces, to.as_deref())?,
        Verb::Roll => values::roll(draft, pieces)?,
        Verb::Set { value, tint } => values::set(draft, pieces, *value, *tint)?,
        Verb::Bump { by } => values::bump(draft, pieces, *by)?,
        Verb::Lock { on } => values::lock(draft, pieces, *on)?,
        Verb::Group { on } => values::group(draft, pieces, *on)?,
        Verb::Note { text, to } => values::note(draft, pieces, text, *to)?,
        Verb::Name { name } => values::name(draft, pieces, name)?,
        Verb::Spawn { what, to } => edit::spawn(draft, what, *to)?,
        Verb::Remove => edit::remove(draft, pieces)?,
        Verb::Edit { edit } => edit::edit(draft, act.into, edit)?,
        Verb::Claim { who, name, left_by } => people::claim(draft, who, name, left_by.as_deref())?,
        Verb::Leave { seat } => people::leave(draft, *seat)?,
        Verb::Pass { to } => people::pass(draft, *to)?,
        Verb::Phase { phase } => people::phase(draft, phase)?,
        Verb::Mark { text } => people::mark(draft, pieces, text)?,
        Verb::End { result, winners, points } => people::end(draft, result, winners, points)?,
        // The server does it with [`update`], when it has what is different.
        Verb::Update { .. } => {
            return Err(Refusal::NotPossible("The table has the cards as the project has them now."));
        }
        Verb::Run { button, numbers } => button::run(draft, button.as_deref(), numbers)?,
        Verb::Restore { to } => restore::restore(draft, *to, log)?,
        Verb::Undo { n, agree } => return undo::undo(draft, *n, *agree, log),
    }
    Ok(Vec::new())
}
