import { listInWords } from '../../text/list-in-words.ts';
import {
  type Handle,
  type Named,
  type Patch,
  type Say,
  type SeatNo,
  TABLE_SEAT,
} from '../protocol/messages.ts';
import { pieceName, seatName } from './names.ts';
import { spaceUnder } from './table-spaces.ts';
import type { TableView } from './view.ts';

/** A line of the log, in words. */
export interface LogLine {
  /** The entry it is of. */
  readonly n: number;
  /** Its place among the lines of that entry. */
  readonly part: number;
  readonly by: SeatNo;
  readonly text: string;
  /** The same with the names of cards in other languages, by tag; those that say the same are left out. */
  readonly spoken?: Readonly<Record<string, string>>;
}

/** Most pieces that a line names. */
const MAX_NAMED = 4;

/** Words for verbs whose lines name pieces: what was done to them. */
const DONE: Readonly<Record<string, string>> = {
  flip: 'turns over',
  turn: 'turns',
  spin: 'spins',
  roll: 'rolls',
  bump: 'counts on',
  note: 'writes',
  name: 'names',
  spawn: 'takes out of the box',
  mark: 'remarks on',
};

/** Verbs without pieces. */
const ALONE: Readonly<Record<string, string>> = {
  leave: 'gets up',
  pass: 'passes the turn',
  phase: 'goes to another phase',
  edit: 'changes the table',
  remove: 'puts pieces back into the box',
  run: 'presses a button',
  restore: 'sets the table up anew',
  undo: 'asks to take an act back',
  end: 'ends the game',
  name: 'takes another name',
};

type Before = Pick<TableView, 'pieces' | 'faces' | 'backs' | 'table' | 'seat' | 'common'>;

/** The lines of an entry, as the own seat reads them. */
export function linesOf(patch: Patch, before: Before, after: Before): LogLine[] {
  const { n, by, verb } = patch;
  if (by === TABLE_SEAT) return [{ n, part: 0, by, text: projectChanged(patch, after) }];
  const own = by === after.seat;
  // Somebody who gets up is named as they were.
  const actor = own ? 'You' : seatName(verb === 'leave' ? before : after, by);
  const words = new Words(before, after, by);
  return doings(verb, patch.say ?? [], words).map((doing, part) => ({
    n,
    part,
    by,
    text: `${actor} ${doing}`,
  }));
}

/** Cards that changed in the project, as far as one sees them. */
function projectChanged({ say = [] }: Patch, { faces }: Before): string {
  const names = cardNames(
    say.flatMap((one) => (one.say === 'cards' ? one.faces : [])),
    faces,
  );
  return names ? `The project changed: ${names}` : 'The project changed';
}

function cardNames(seen: readonly number[], faces: Before['faces']): string {
  const names = seen.flatMap((face) => faces.get(face)?.name ?? []);
  const rest = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Things that an entry did, without the person. */
function doings(verb: string, say: readonly Say[], words: Words): string[] {
  if (verb === 'claim') return [words.verb('sits down')];
  const alone = ALONE[verb];
  if (verb === 'restore' && alone) return [words.verb(alone)];
  const lines = say.map((one) => words.line(verb, one));
  if (verb === 'end') return [words.verb('ends the game'), ...lines];
  return lines.length === 0 && alone ? [words.verb(alone)] : lines;
}

/** `turns over` as one says it of oneself: `turn over`. */
function ofOneself(words: string): string {
  const [first = '', ...rest] = words.split(' ');
  const verb = first === 'passes' ? 'pass' : first === 'goes' ? 'go' : first.replace(/s$/, '');
  return [verb, ...rest].join(' ');
}

class Words {
  constructor(
    readonly before: Before,
    readonly after: Before,
    readonly by: SeatNo,
  ) {}

  private get own(): boolean {
    return this.by === this.after.seat;
  }

  verb(words: string): string {
    return this.own ? ofOneself(words) : words;
  }

  line(verb: string, say: Say): string {
    switch (say.say) {
      case 'text':
        return verb === 'end'
          ? `${this.verb('says')} the result: ${say.text}`
          : `${this.verb('says')}: ${say.text}`;
      case 'rolled':
        return `${this.verb('rolls')} ${this.pieces(say.pieces)}`;
      case 'undone':
        return this.verb(undoneWords(say));
      case 'shown': {
        const seats = say.to.filter((seat) => this.after.table.seats[String(seat)]);
        const all = seats.length === Object.keys(this.after.table.seats).length;
        const to = seats.map((seat) => (seat === this.after.seat ? 'you' : seatName(this.after, seat)));
        const pieces = this.pieces(say.pieces);
        if (verb === 'peek') return `${this.verb('looks')} at ${pieces}${this.place(' in', say.from)}`;
        return `${this.verb('shows')} ${pieces} to ${all ? 'everybody' : listInWords(to)}`;
      }
      case 'won':
        return `${this.verb('says')} who won: ${this.result(say)}`;
      case 'cards': {
        const names = cardNames(say.faces, this.after.faces);
        return `${this.verb('takes')} the changes of the project${names ? `: ${names}` : ''}`;
      }
      case 'moved':
        return this.moved(verb, say);
    }
  }

  private result({ winners, points }: Extract<Say, { say: 'won' }>): string {
    const names = winners.map((seat) => seatName(this.after, seat)).join(', ');
    const made = points.map(([seat, count]) => `${seatName(this.after, seat)} ${count}`).join(', ');
    return [names || 'nobody', made && `points: ${made}`].filter(Boolean).join('; ');
  }

  private moved(verb: string, { pieces, from, to }: Extract<Say, { say: 'moved' }>): string {
    const what = this.pieces(pieces);
    const into = to && this.container(to);
    // A button tells of a shuffle by the pile alone, and of turning over by pieces that stay where they are.
    if (verb === 'shuffle' || (verb === 'run' && into && pieces.length === 0))
      return `${this.verb('shuffles')} ${into ?? what}`;
    if (verb === 'run' && from !== undefined && to === undefined && this.stay(pieces, from))
      return `${this.verb('turns')} over ${pieces.length === 0 ? 'nothing' : what}${this.place(' in', from)}`;
    if (verb === 'cut') return `${this.verb('cuts')} ${into ?? 'a pile'}`;
    if (verb === 'search') return `${this.verb('looks')} through ${into ?? 'a pile'}`;
    if (verb === 'edit') return `${this.verb('changes')} ${into ?? 'the table'}`;
    if (verb === 'reorder') return `${this.verb('rearranges')} ${into ?? what}`;
    if (verb === 'lock') return `${this.verb(this.all(pieces, 'locked') ? 'locks' : 'unlocks')} ${what}`;
    if (verb === 'group') return `${this.verb(this.all(pieces, 'group') ? 'groups' : 'ungroups')} ${what}`;
    if (verb === 'draw') return `${this.verb('draws')} ${what}${this.place(' from', from)}`;
    if (verb === 'take') return `${this.verb('takes')} ${what}${this.place(' from', from)}`;
    if (verb === 'deal') return `${this.verb('deals')} ${what}${this.place(' to', to)}`;
    if (verb === 'give') return `${this.verb('gives')} ${what}${this.place(' to', to)}`;
    if (verb === 'unstack') return `${this.verb('lays')} out ${from ? this.container(from) : what}`;
    if (to !== undefined) return `${this.verb('puts')} ${what}${this.place(' into', to)}`;
    if (verb === 'set') return `${this.verb('sets')} ${what}${this.value(pieces)}`;
    const space = verb === 'move' ? this.space(pieces) : '';
    if (from !== undefined) return `${this.verb('plays')} ${what}${this.place(' from', from)}${space}`;
    return `${this.verb(DONE[verb] ?? 'moves')} ${what}${space}`;
  }

  /** The value of a single piece; its name says that of a die. */
  private value([piece, ...others]: readonly Named[]): string {
    const shown = piece?.handle === undefined ? undefined : this.after.pieces.get(piece.handle);
    const isOne = others.length === 0 && shown?.value !== undefined && shown.kind !== 'die';
    return isOne ? ` to ${shown.value}` : '';
  }

  /** True if pieces have something after the act; of hidden ones nobody is told. */
  private all(pieces: readonly Named[], what: 'locked' | 'group'): boolean {
    return pieces.every(({ handle }) => {
      const shown = handle === undefined ? undefined : this.after.pieces.get(handle);
      return shown === undefined || (shown[what] !== undefined && shown[what] !== false);
    });
  }

  /** True if pieces lie in a container still; those in a pile are not seen one by one. */
  private stay(pieces: readonly Named[], container: Handle): boolean {
    return pieces.every(
      ({ handle }) => handle === undefined || this.after.pieces.get(handle)?.holder === container,
    );
  }

  /** The space of a board that a single piece lies in now. */
  private space([piece, ...others]: readonly Named[]): string {
    if (piece?.handle === undefined || others.length > 0) return '';
    const space = spaceUnder(this.after, piece.handle);
    return space ? ` to ${space.name}` : '';
  }

  /** Pieces in words: their names as far as they are seen, else their number. */
  private pieces(pieces: readonly Named[]): string {
    const names = pieces.flatMap((piece) => this.piece(piece) ?? []);
    if (names.length === 0) return pieces.length === 1 ? 'a piece' : `${pieces.length} pieces`;
    const alike = names.every((name) => name === names[0]) && names.length === pieces.length;
    if (alike && names.length > 1) return `${names.length} × ${names[0]}`;
    const shown = names.slice(0, MAX_NAMED);
    const rest = pieces.length - shown.length;
    return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
  }

  private piece({ handle, face }: Named): string | undefined {
    // A die is named with the side that lies up now.
    const shown = handle === undefined ? undefined : this.after.pieces.get(handle);
    if (handle !== undefined && (shown?.face !== undefined || shown?.container || shown?.text)) {
      return pieceName(this.after, handle);
    }
    if (face !== undefined) return this.after.faces.get(face)?.name;
    return undefined;
  }

  private container(handle: Handle): string {
    const view = this.after.pieces.has(handle) ? this.after : this.before;
    const shown = view.pieces.get(handle);
    if (shown?.container?.kind === 'hand') {
      const { owner } = shown.container;
      if (owner === undefined) return 'a hand';
      if (owner === this.after.seat) return 'your hand';
      return owner === this.by ? 'their hand' : `the hand of ${seatName(view, owner)}`;
    }
    return shown ? pieceName(view, handle) : 'a pile';
  }

  private place(word: string, handle: Handle | undefined): string {
    return handle === undefined ? '' : `${word} ${this.container(handle)}`;
  }
}

function undoneWords({ entries, faces, chance }: Extract<Say, { say: 'undone' }>): string {
  const what = entries === 1 ? 'takes an act back' : `takes ${entries} acts back`;
  const seen = faces > 0 ? `after ${faces} ${faces === 1 ? 'face was' : 'faces were'} seen` : '';
  const after = [seen, chance ? 'after chance decided' : ''].filter(Boolean).join(' and ');
  return after ? `${what}, ${after}` : what;
}
