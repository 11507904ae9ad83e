import { isolated } from '../../core/text/names.ts';
import { describeError } from '../../data/server/messages.ts';
import type { Kept, Things, Transferred } from '../../data/transfers/transfer.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { offerUndo } from '../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../shell/tell-failure.ts';
import type { Target } from './targets.ts';
import { countedThings, keptInWords, usesInWords } from './words.ts';

/** Time for which a message with something to do stays, in milliseconds. */
const READING_MS = 12_000;

/** Things with their names, and where they lie. */
export interface NamedThings extends Things {
  /** Names by id, in the order of the ids. */
  readonly names: ReadonlyMap<string, string>;
  /** They may be taken away from there. */
  readonly mayMove: boolean;
}

/** Takes the last copy or move back; nothing when there is none. */
let last: (() => Promise<void>) | undefined;

/** Takes the last copy or move back. @returns false if there is none */
export function undoLastTransfer(): boolean {
  if (!last) return false;
  void last();
  return true;
}

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/** A place in the middle of a sentence. */
const placeInWords = ({ id, label }: Target): string => (id === '' ? 'your library' : isolated(label));

/** Words of what happened, first what was done and then what stayed. */
function wordsOf(things: NamedThings, to: Target, { kind, ids, kept, moved }: Transferred): string {
  const [name] = [...ids.keys()].map((id) => things.names.get(id));
  const done = `${countedThings(kind, ids.size, name)} ${was(ids.size)} ${moved ? 'moved' : 'copied'} to ${placeInWords(to)}.`;
  if (kept.size === 0) return done;
  const [line] = keptInWords(kept, things.names);
  return kept.size === 1 ? `${done} ${line} It stays.` : `${done} ${kept.size} are in use and stay.`;
}

/**
 * Copies or moves things, says what happened, and offers to take it back.
 * @param open shows a page
 * @returns true once it is done
 * @throws FirebaseError when a limit of the plan is reached, or the user may not
 */
export async function carryOut(
  things: NamedThings,
  to: Target,
  move: boolean,
  open: (address: string) => void,
): Promise<boolean> {
  const { transfer } = await import('../../data/transfers/transfer.ts');
  const done = await transfer(things, to.place, move);
  if (done.failure !== undefined) {
    toasts.show(`Only a part was done. ${describeError(done.failure)}`, {
      type: 'error',
      autoCloseTime: READING_MS,
    });
  }
  const kept = keptThings(things, done.kept);
  const copyKept = {
    buttonText: done.kept.size === 1 ? 'Copy it instead' : 'Copy them instead',
    function: () => void carryOut(kept, to, false, open).catch(tellFailure),
  };
  if (done.ids.size === 0) {
    if (done.kept.size === 0) {
      toasts.show('Nothing is left to do: somebody deleted it meanwhile.', {
        type: 'warning',
        autoCloseTime: READING_MS,
      });
      return false;
    }
    const [uses = []] = done.kept.values();
    const words =
      done.kept.size === 1
        ? `${countedThings(kept.kind, 1, [...kept.names.values()][0])} stays: it is used by ${usesInWords(uses)}.`
        : `All ${done.kept.size} are in use and stay.`;
    toasts.show(words, { type: 'warning', autoCloseTime: READING_MS, actions: [copyKept] });
    return false;
  }
  let once: Promise<void> | undefined;
  const undo = () => {
    once ??= takeBack(things, to, done);
    toasts.close(told);
    if (last === undo) last = undefined;
    return once;
  };
  last = undo;
  const told = offerUndo(wordsOf(things, to, done), () => void undo(), [
    { buttonText: 'Open', function: () => open(addressOf(things.kind, to)) },
    ...(done.kept.size > 0 ? [copyKept] : []),
  ]);
  return true;
}

const keptThings = (things: NamedThings, kept: Kept): NamedThings => ({
  ...things,
  ids: [...kept.keys()],
  names: new Map([...things.names].filter(([id]) => kept.has(id))),
});

/** Page of what lies in a place. */
export function addressOf(kind: Things['kind'], { id }: Pick<Target, 'id'>): string {
  if (kind === 'layouts') return id === '' ? '/layouts' : `/layouts/${id}`;
  return id === '' ? '/images' : `/decks/images/${id}`;
}

async function takeBack(things: NamedThings, to: Target, done: Transferred): Promise<void> {
  try {
    const { undoTransfer } = await import('../../data/transfers/transfer.ts');
    const kept = await undoTransfer(done);
    const undone = done.moved
      ? `${countedThings(done.kind, done.ids.size, [...things.names.values()][0])} ${was(done.ids.size)} moved back.`
      : 'The copy was taken back.';
    if (kept.size === 0) toasts.show(undone, { type: 'success', autoCloseTime: 5_000 });
    else {
      const uses = [...kept.values()].flat();
      const stays = `What is used there by now stays in ${placeInWords(to)}: ${usesInWords(uses)}.`;
      toasts.show(`${undone} ${stays}`, { type: 'warning', autoCloseTime: READING_MS });
    }
  } catch (error) {
    tellFailure(error);
  }
}
