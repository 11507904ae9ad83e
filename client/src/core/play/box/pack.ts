import { cardName } from '../../imposition/job/card-name.ts';
import type { PrintPart } from '../../imposition/job/print-job.ts';
import { bareRecord } from '../../records.ts';
import { EMPTY_ROW, type Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { MAX_BOX_BYTES, MAX_DEFINITIONS, MAX_PIECES, MAX_SETS, MAX_SIDES } from '../protocol/limits.ts';
import type {
  BackLook,
  CarriedImage,
  CommonLook,
  Drawn,
  FaceLook,
  SpokenLayouts,
  SpokenSide,
} from '../protocol/looks.ts';
import type { PieceKind } from '../protocol/messages.ts';
import { type Sorted, type ValueSet, valueSets } from './card-sets.ts';
import { rowRead } from './cells-read.ts';
import { bytesOf, type InLanguages, SpokenBox, showsMore, wordsOfCells } from './spoken.ts';

/** Cards of a component that have the same layouts; formulas worked out, sizes of texts set alike fixed. */
export interface PackPart {
  /** Id and name of the component. */
  readonly component: string;
  readonly name: string;
  /** Kind of the component, of `data/documents/documents.ts`. */
  readonly kind: string;
  readonly part: PrintPart;
  /** Id of each card of the part. */
  readonly ids: readonly string[];
  /** The part in the other languages of its project. */
  readonly spoken?: InLanguages;
}

/** The box of a table as `openTable` takes it. */
export interface GameBox {
  readonly backs: readonly {
    readonly look: string;
    readonly kind: PieceKind;
    /** Tenths of a millimetre. */
    readonly size: readonly [number, number];
    readonly sides: number;
  }[];
  readonly definitions: readonly {
    readonly face: string;
    readonly back: number;
    readonly copies: number;
    /** The card that it is, or of a die the cards; the server keeps it to itself. */
    readonly source: { readonly component: string; readonly cards: readonly string[] };
  }[];
  readonly sets: readonly {
    readonly name: string;
    readonly members: readonly number[];
    readonly component: string;
    /** Column and value that its cards have in common, of those of the component. */
    readonly value?: ValueSet['value'];
  }[];
  readonly common: string;
}

/** A component in a box. */
export interface PackedComponent {
  readonly id: string;
  readonly name: string;
  readonly kind: PieceKind;
  /** Index of its set. */
  readonly set: number;
  /** Numbers of its definitions, and how many pieces there are of each. */
  readonly definitions: readonly { readonly no: number; readonly copies: number }[];
  /** Pieces in all. */
  readonly pieces: number;
  /** Size of the largest piece, in tenths of a millimetre. */
  readonly size: readonly [number, number];
}

export interface PackedBox {
  readonly box: GameBox;
  readonly components: readonly PackedComponent[];
  /** Languages for which it has no room. */
  readonly without: readonly string[];
}

/** A project that makes no table; the message says what to do. */
export class PackError extends Error {
  override readonly name: string = 'PackError';
}

/** A project that has more than one table holds. */
export class TooMuchError extends PackError {
  override readonly name = 'TooMuchError';
}

/** Pieces that the components of each kind become; pages of documents become none. */
const PIECES: Readonly<Record<string, PieceKind>> = {
  cards: 'card',
  tokens: 'token',
  tiles: 'tile',
  dice: 'die',
  boards: 'board',
  mats: 'board',
};

/** Bytes that are left for the tags of languages. */
const ROOM_FOR_TAGS = 4_096;

const NO_LANGUAGES: InLanguages = new Map();

/** Faces of a die, where the rows of a component are more than one die. */
const DIE_SIDES = 6;

/** True if a component's rows are pieces of a game. */
export const isPlayed = (kind: string): boolean => Object.hasOwn(PIECES, kind);

const tenths = (mm: number): number => Math.max(1, Math.round(mm * 10));

/**
 * Packs the box of a table, in all languages for which it has room.
 * @param picturesOf the pictures that a layout or a cell names, as players without rights in the library need them
 * @param source language of the cards' own words
 * @throws PackError when there is nothing to play with, or more than a table holds
 */
export function packBox(
  parts: readonly PackPart[],
  picturesOf: (content: { scene: unknown } | { row: Row; part: PrintPart }) => readonly CarriedImage[],
  source = '',
): PackedBox {
  const played = parts.filter(({ kind }) => isPlayed(kind));
  checkCounts(played);
  const packer = new Packer(picturesOf, source);
  for (const part of played) packer.add(part);
  return packer.finish();
}

class Packer {
  readonly #picturesOf: Parameters<typeof packBox>[1];
  readonly #layouts = new Map<Layout, number>();
  readonly #tables = new Map<PrintPart['columns'], number>();
  readonly #backs = new Map<string, number>();
  readonly #box: { backs: GameBox['backs'][number][]; definitions: GameBox['definitions'][number][] } = {
    backs: [],
    definitions: [],
  };
  readonly #components = new Map<string, PackedComponent>();
  readonly #sorted = new Map<string, Sorted[]>();
  readonly #spoken = new SpokenBox(MAX_BOX_BYTES);
  readonly #source: string;
  /** Characters of all faces and backs: no more than their bytes. */
  #length = 0;

  constructor(picturesOf: Parameters<typeof packBox>[1], source: string) {
    this.#picturesOf = picturesOf;
    this.#source = source;
  }

  add(part: PackPart): void {
    for (const [language, { layout, back }] of part.spoken ?? []) {
      this.#spoken.layout(language, part.part.layout, layout);
      if (part.part.back && back) this.#spoken.layout(language, part.part.back, back);
    }
    for (const rows of definitionsOf(part)) this.#define(part, PIECES[part.kind] ?? 'card', rows);
  }

  finish(): PackedBox {
    const components = [...this.#components.values()];
    if (components.length === 0) {
      throw new PackError(
        'Nothing here can lie on a table yet: add cards to a component, and choose a layout for it.',
      );
    }
    const common: CommonLook = {
      layouts: [...this.#layouts.keys()].map(played),
      tables: [...this.#tables.keys()].map((columns) => columns.map(({ key, name }) => ({ key, name }))),
      pictures: this.#picturesOf({ scene: [...this.#layouts.keys()] }),
    };
    const box: GameBox = {
      ...this.#box,
      // Those of whole components first: a component names its own by its place.
      sets: [
        ...components.map(({ id, name, definitions: own }) => ({
          name,
          members: own.map(({ no }) => no),
          component: id,
        })),
        ...this.#valueSets(components),
      ].slice(0, Math.max(MAX_SETS, components.length)),
      common: JSON.stringify(common),
    };
    const bytes = sizeOf(box);
    if (bytes > MAX_BOX_BYTES) throw tooLarge('', bytes);
    return { ...this.#inLanguages(box, common, MAX_BOX_BYTES - bytes), components };
  }

  /** The box with its words in the languages for which so many bytes are room; it names the others. */
  #inLanguages(box: GameBox, common: CommonLook, room: number): Pick<PackedBox, 'box' | 'without'> {
    const { kept, without } = this.#spoken.divided(room - ROOM_FOR_TAGS);
    if (kept.size + without.length === 0) return { box, without };
    const languages: SpokenLayouts = {
      source: this.#source,
      spoken: Object.fromEntries(
        [...kept].sort().map((tag) => [tag, this.#spoken.layoutsIn(tag, this.#layouts.keys())]),
      ),
      ...(without.length > 0 && { without }),
    };
    // A box that is full to the brim has not even room for the names of its languages.
    if (room < ROOM_FOR_TAGS) return { box, without };
    const spoken: GameBox = {
      ...box,
      definitions: box.definitions.map((one, no) => ({
        ...one,
        face: withField(one.face, 'spoken', this.#spoken.ofFace(no, kept)),
      })),
      backs: box.backs.map((one, no) => ({
        ...one,
        look: withField(one.look, 'spoken', this.#spoken.ofBack(no, kept)),
      })),
      common: JSON.stringify({ ...common, languages }),
    };
    return { box: spoken, without };
  }

  #valueSets(components: readonly PackedComponent[]): GameBox['sets'] {
    return components.flatMap(({ id, name }) =>
      valueSets(name, this.#sorted.get(id) ?? []).map((set) => ({ ...set, component: id })),
    );
  }

  /** Counts a text. What follows one too many is not looked at: it may be a thousand times as much. */
  #counted(text: string): string {
    this.#length += text.length;
    if (this.#length > MAX_BOX_BYTES) throw tooLarge('more than ', MAX_BOX_BYTES);
    return text;
  }

  #define(part: PackPart, kind: PieceKind, rows: readonly number[]): void {
    const { layout, columns } = part.part;
    const first = rowOf(part.part, rows[0] ?? 0);
    const name = kind === 'die' ? part.name : cardName(first, columns, rows[0] ?? 0);
    const sides = rows.map((index) => this.#side(part, index));
    const face: FaceLook = { name, sides };
    const copies = copiesOf(part, rows);
    const no = this.#box.definitions.length;
    const back = this.#back(part, kind, first, rows);
    this.#box.definitions.push({
      face: this.#counted(JSON.stringify(face)),
      back,
      copies,
      source: { component: part.component, cards: rows.map((index) => part.ids[index] ?? '') },
    });
    for (const [language, other] of part.spoken ?? []) {
      const spoken = rows.map((index, at): SpokenSide => {
        const row = rowOf(other, index);
        const [own, words] = [cardName(row, columns, index), wordsOfCells(row.words, sides[at]?.cells ?? {})];
        return { ...(own !== sides[at]?.name && { name: own }), ...(words && { words }) };
      });
      const { name: own } = kind === 'die' ? {} : (spoken[0] ?? {});
      this.#spoken.face(no, language, { ...(own !== undefined && { name: own }), sides: spoken });
    }
    const sorted = this.#sorted.get(part.component) ?? [];
    this.#sorted.set(part.component, sorted);
    // Only what stands on a face: names of sets say nothing that cards do not.
    if (kind !== 'die') sorted.push({ no, columns, cells: face.sides[0]?.cells ?? {} });
    const size = [tenths(layout.size.w), tenths(layout.size.h)] as const;
    const known = this.#components.get(part.component) ?? {
      id: part.component,
      name: part.name,
      kind,
      set: this.#components.size,
      definitions: [],
      pieces: 0,
      size,
    };
    this.#components.set(part.component, {
      ...known,
      definitions: [...known.definitions, { no, copies }],
      pieces: known.pieces + copies,
      size: [Math.max(known.size[0], size[0]), Math.max(known.size[1], size[1])],
    });
  }

  /** A face of a piece, with the cells that any language shows. */
  #side({ part, spoken = NO_LANGUAGES }: PackPart, index: number): FaceLook['sides'][number] {
    const row = rowOf(part, index);
    const more = [...spoken].filter(([tag]) => showsMore(part.layout.zones, tag));
    const layouts = [part.layout, ...more.map(([, { layout }]) => layout)];
    const reads = layouts.map((layout) => rowRead(layout, row, part.columns));
    const read = reads.length === 1 ? reads[0] : rowOfReads(reads);
    return { name: cardName(row, part.columns, index), ...this.#drawn(part, part.layout, read ?? EMPTY_ROW) };
  }

  /** The back of a piece: the same number for all that look alike from behind in the source. */
  #back({ part, name, spoken }: PackPart, kind: PieceKind, row: Row, rows: readonly number[]): number {
    const sides = rows.length;
    const read = part.back && rowRead(part.back, row, part.columns);
    const no = this.#backOf(part, name, kind, sides, read);
    for (const [language, other] of spoken ?? []) {
      const { words } = rowOf(other, rows[0] ?? 0);
      this.#spoken.back(no, language, wordsOfCells(words, read?.cells ?? {}));
    }
    return no;
  }

  #backOf(part: PrintPart, name: string, kind: PieceKind, sides: number, read: Row | null): number {
    const { w, h } = part.layout.size;
    const look: BackLook = {
      name,
      size: part.layout.size,
      ...(part.back && read && { drawn: this.#drawn(part, part.back, read) }),
    };
    const text = JSON.stringify(look);
    const key = JSON.stringify([text, kind, sides]);
    const known = this.#backs.get(key);
    if (known !== undefined) return known;
    const no = this.#box.backs.length;
    this.#backs.set(key, no);
    this.#box.backs.push({
      look: this.#counted(text),
      kind,
      size: [tenths(w), tenths(h)],
      sides: kind === 'die' ? sides : 0,
    });
    return no;
  }

  /** @param read the part of a row that the layout reads */
  #drawn(part: PrintPart, layout: Layout, read: Row): Drawn {
    const pictures = this.#picturesOf({ row: read, part });
    return {
      layout: indexOf(this.#layouts, layout),
      table: indexOf(this.#tables, part.columns),
      ...read,
      ...(pictures.length > 0 && { pictures }),
    };
  }
}

/** The part of one row that several layouts read. */
const rowOfReads = (reads: readonly Row[]): Row => {
  const cells = Object.assign({}, ...reads.map((one) => one.cells));
  return Object.assign({}, ...reads, {
    cells: bareRecord(Object.entries<string>(cells).sort(([a], [b]) => (a < b ? -1 : 1))),
  });
};

/** The JSON text of an object with one field more, if that has a value. */
const withField = (object: string, name: string, value: unknown): string =>
  value === undefined ? object : `${object.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;

function indexOf<T>(known: Map<T, number>, value: T): number {
  const index = known.get(value) ?? known.size;
  known.set(value, index);
  return index;
}

/** A row as prints number it. */
function rowOf(part: PrintPart, index: number): Row {
  return { index: index + 1, count: part.cards.length, ...(part.cards[index]?.row ?? EMPTY_ROW) };
}

/** A layout without what only its editor needs. */
const played = ({ sample: _sample, ...layout }: Layout): Layout => ({ ...layout, guides: { x: [], y: [] } });

/** Rows that are the faces of each die: six after each other, or all of them where they are no multiple of six. */
function diceOf({ part, name }: PackPart): readonly number[][] {
  const faces = part.cards.flatMap(({ copies }, index) => (copies > 0 ? [index] : []));
  if (faces.length === 0) return [];
  if (faces.length > MAX_SIDES && faces.length % DIE_SIDES !== 0) {
    throw new PackError(`${name} would be a die of ${faces.length} faces; the most is ${MAX_SIDES}.`);
  }
  const sides = faces.length % DIE_SIDES === 0 ? DIE_SIDES : faces.length;
  return Array.from({ length: faces.length / sides }, (_, die) =>
    faces.slice(die * sides, (die + 1) * sides),
  );
}

/** Rows of each definition of a part: the faces of a die, or one card. */
const definitionsOf = (part: PackPart): readonly (readonly number[])[] =>
  PIECES[part.kind] === 'die'
    ? diceOf(part)
    : part.part.cards.flatMap(({ copies }, index) => (copies > 0 ? [[index]] : []));

const copiesOf = ({ part: { cards } }: PackPart, rows: readonly number[]): number =>
  Math.min(...rows.map((index) => cards[index]?.copies ?? 0));

/** Refuses more pieces than a table holds before any of them is worked out. */
function checkCounts(parts: readonly PackPart[]): void {
  let [definitions, pieces] = [0, 0];
  const byComponent = new Map<string, { name: string; pieces: number }>();
  for (const part of parts) {
    const own = definitionsOf(part);
    const copies = own.reduce((sum, rows) => sum + copiesOf(part, rows), 0);
    definitions += own.length;
    pieces += copies;
    const before = byComponent.get(part.component) ?? { name: part.name, pieces: 0 };
    byComponent.set(part.component, { ...before, pieces: before.pieces + copies });
  }
  if (definitions > MAX_DEFINITIONS) {
    throw new TooMuchError(
      `These are ${definitions} different pieces; a table has at most ${MAX_DEFINITIONS}. Choose fewer components.`,
    );
  }
  if (pieces > MAX_PIECES) {
    const most = [...byComponent.values()].reduce((a, b) => (b.pieces > a.pieces ? b : a));
    throw new TooMuchError(
      `These are ${pieces} pieces, ${most.pieces} of them ${most.name}; a table holds ${MAX_PIECES}. Choose fewer components, or lower the copies.`,
    );
  }
}

const tooLarge = (about: string, bytes: number): TooMuchError =>
  new TooMuchError(
    `These components take ${about}${Math.ceil(bytes / 1024 / 1024)} MB; a table holds ${MAX_BOX_BYTES / 1024 / 1024} MB. Choose fewer components.`,
  );

/** Bytes of a box as the server counts them. */
function sizeOf(box: GameBox): number {
  const ids = ({ component, cards }: GameBox['definitions'][number]['source']) => [component, ...cards];
  return bytesOf(
    [
      box.common,
      ...box.backs.map(({ look }) => look),
      ...box.definitions.flatMap(({ face, source }) => [face, ...ids(source)]),
      ...box.sets.flatMap(({ name, value }) => [name, ...(value ?? [])]),
    ].join(''),
  );
}
