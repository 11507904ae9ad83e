import { cutText } from '../../text/cut-text.ts';
import { listInWords } from '../../text/list-in-words.ts';
import { MAX_NAME, MAX_SEATS } from '../protocol/limits.ts';
import type { ContainerKind, Handle, SeatNo, Shown } from '../protocol/messages.ts';
import type { TableView } from './view.ts';

type Looks = Pick<TableView, 'faces' | 'backs' | 'table' | 'pieces'>;

/** Words for kinds of pieces that have no name of their own. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  counter: 'Counter',
  note: 'Note',
  timer: 'Timer',
  container: 'Container',
};

/** Words for kinds of containers, with their articles, in the order in which they are offered. */
export const CONTAINER_WORDS: Readonly<
  Record<ContainerKind, { readonly one: string; readonly the: string }>
> = {
  stack: { one: 'a pile', the: 'the pile' },
  bag: { one: 'a bag', the: 'the bag' },
  zone: { one: 'an area', the: 'the area' },
  hand: { one: 'a hand', the: 'the hand' },
  tray: { one: 'a private area', the: 'the private area' },
};

/** Letters of the seats: they tell them apart without their colours. */
export const seatLetter = (seat: SeatNo): string =>
  seat < MAX_SEATS ? String.fromCharCode('A'.charCodeAt(0) + seat) : '?';

export function seatName({ table }: Pick<Looks, 'table'>, seat: SeatNo): string {
  return table.seats[String(seat)]?.name ?? `Seat ${seatLetter(seat)}`;
}

/** Name of accounts that the server makes for visitors of sample tables (`sample_tables.rs`): nobody chose it. */
export const VISITOR = 'Visitor';

/** The name with which an account sits down. */
export const nameAtTable = ({
  displayName,
  email,
}: {
  readonly displayName: string;
  readonly email: string;
}): string => cutText(displayName || email, MAX_NAME) || 'Player';

/** The name with which somebody takes a free seat: a visitor has that of the seat. */
export const nameInSeat = (
  view: Pick<Looks, 'table'>,
  seat: SeatNo,
  person: { readonly displayName: string; readonly email: string },
): string => (person.displayName === VISITOR ? seatName(view, seat) : nameAtTable(person));

/** A colour of 24 bits as CSS. */
export const cssColour = (colour: number): string => `#${(colour & 0xffffff).toString(16).padStart(6, '0')}`;

/** The side of a die that lies up, from 0. */
export function sideUp(shown: Shown, sides: number): number {
  return Math.max(0, Math.min(sides - 1, (shown.value ?? 1) - 1));
}

/** Name of a piece, as far as the own seat sees it. */
export function pieceName(view: Looks, handle: Handle): string {
  const shown = view.pieces.get(handle);
  return shown ? shownName(view, shown) : 'a piece';
}

export function shownName(view: Looks, shown: Shown): string {
  const { container, name, kind, text } = shown;
  if (container) {
    if (container.kind === 'hand' && container.owner !== undefined) {
      return `Hand of ${seatName(view, container.owner)}`;
    }
    return name ?? (container.kind === 'stack' ? 'Pile' : 'Area');
  }
  if (kind === 'note') return text ? `Note: ${text.split('\n')[0]}` : 'Note';
  const face = shown.face === undefined ? undefined : view.faces.get(shown.face);
  if (face && kind === 'die') {
    const side = face.sides[sideUp(shown, face.sides.length)];
    return side ? `${face.name}: ${side.name}` : face.name;
  }
  if (face) return face.name;
  if (name) return name;
  const back = shown.back === undefined ? undefined : view.backs.get(shown.back);
  return back ? `${back.name}, face down` : (KIND_WORDS[kind ?? ''] ?? 'Hidden piece');
}

/** State of a piece beside its name, in words; empty where there is nothing to say. */
export function pieceState(view: Looks, handle: Handle): string {
  const shown = view.pieces.get(handle);
  if (!shown) return '';
  const { container, facing, known, turn, locked, value, kind } = shown;
  const words: string[] = [];
  if (container) {
    const { count } = container;
    if (count !== undefined)
      words.push(count === 0 ? 'empty' : `${count} ${count === 1 ? 'piece' : 'pieces'}`);
    const searching = container.searched_by ?? [];
    if (searching.length > 0) {
      const names = searching.map((seat) => seatName(view, seat));
      words.push(`${listInWords(names)} ${names.length === 1 ? 'looks' : 'look'} through it`);
    }
  }
  if (facing === 'down' && shown.face !== undefined)
    words.push(known ? 'face down, known to you' : 'face down');
  if (value !== undefined && kind !== 'die') words.push(`value ${value}`);
  if (turn) words.push(`turned ${turn}°`);
  if (locked) words.push('locked');
  return words.join(', ');
}
