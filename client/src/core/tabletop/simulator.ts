import type { AcceptedPiece } from '../board/space.ts';
import { safeName, UniqueNames } from '../imposition/images/file-names.ts';
import { cardPainting, isStatic } from '../imposition/images/image-files.ts';
import type { BundleEntry, Encoding, Painting, PaintingItem } from '../imposition/images/painting.ts';
import { cardName, plainLines, plainText } from '../imposition/job/card-name.ts';
import { fingerprint } from '../imposition/job/fingerprint.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { spacesOf } from '../layout/laid-spaces.ts';
import { cellAt } from '../records.ts';
import { EMPTY_ROW, printedCells, type Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { boardScript, PIECE_TAGS, tellsPiecesApart } from './board-spaces.ts';
import { diceObject, diceOf, dicePainting } from './dice.ts';
import { deckSnapPoints, NO_EXTRAS, type SaveExtras, withNotebook } from './extras.ts';
import { chooseGrid, type SheetGrid } from './grid.ts';
import { type Footprint, footprintOf, GAP, Rows } from './places.ts';
import type { CustomDeck, SnapPoint, Transform, TtsObject, TtsSave } from './save.ts';

/**
 * Components as objects of Tabletop Simulator: images to be painted, and the objects that show them. The images'
 * addresses are not known here: objects are made with file names, which `url` turns into addresses.
 */

/** Columns that fill a card's fields; a missing key leaves the field empty. */
export interface CardFields {
  readonly nickname?: string | undefined;
  readonly description?: string | undefined;
  readonly gmNotes?: string | undefined;
  /** Separated by commas. */
  readonly tags?: string | undefined;
  readonly lua?: string | undefined;
}

export interface TablePart extends PrintPart {
  /** Stable id of the component. */
  readonly id: string;
  /** Stable ids of the cards, in their order. */
  readonly cardIds: readonly string[];
  readonly as: 'deck' | 'token' | 'tile' | 'board' | 'figurine' | 'die';
  readonly fields: CardFields;
}

export interface SimulatorSettings {
  /** Deck sheets, or an image for each card. */
  readonly pictures: 'sheets' | 'single';
  /** Wanted dots per inch of a card on a sheet. */
  readonly dpi: number;
  /** Face that others see of a card in a hand: its back, or an empty face. */
  readonly hidden: 'back' | 'blank';
  readonly type: 'image/jpeg' | 'image/png';
  readonly quality: number;
}

export const DEFAULT_SIMULATOR_SETTINGS: SimulatorSettings = {
  pictures: 'sheets',
  dpi: 200,
  hidden: 'back',
  type: 'image/jpeg',
  quality: 0.92,
};

/** A card as the template of all its copies. */
export interface CardMaking {
  readonly id: string;
  readonly copies: number;
  /** Everything but place and GUID. */
  readonly object: TtsObject;
}

export interface ComponentMaking {
  readonly id: string;
  readonly name: string;
  readonly as: TablePart['as'];
  readonly cards: readonly CardMaking[];
  readonly sideways: boolean;
  readonly scale: number;
  /** Room of one of its objects on the table. */
  readonly room: Footprint;
}

export interface SimulatorPlan {
  readonly images: readonly Extract<BundleEntry, { kind: 'painting' }>[];
  readonly components: readonly ComponentMaking[];
  /** The sharpest and dullest cards on sheets, in dots per inch. */
  readonly dpi: readonly [number, number];
}

/** Prefix of a component's id in the `Memo` of its deck, and of a card's id in its own. */
export const MEMO = 'tuckbox:';

/** Identifier of a card in a save. */
export const memoOf = (component: string, card: string): string => `${MEMO}${component}/${card}`;

/** Height of a card that the game shows at scale 1, in millimetres. */
const LIFE_SIZE_MM = 88.9;
const PLAIN_BACK = '#3b4a5a';
const HIDDEN_FACE = '#d8d8d8';

/** @param firstKey number of the first sheet; larger than those of a save that is to be updated */
export function planSimulator(
  parts: readonly TablePart[],
  settings: SimulatorSettings,
  url: (file: string) => string,
  firstKey = 1,
): SimulatorPlan {
  const images: Extract<BundleEntry, { kind: 'painting' }>[] = [];
  const names = new UniqueNames();
  let key = firstKey;
  const dpis: number[] = [];
  const encoding: Encoding = { type: settings.type, quality: settings.quality, dpi: 96 };
  const ending = settings.type === 'image/png' ? '.png' : '.jpg';
  const add = (name: string, painting: Painting, how = encoding, end = ending): string => {
    const file = names.take(urlName(name), end);
    images.push({ name: file, kind: 'painting', painting, encoding: how });
    return url(file);
  };
  // Tags are shown in the game, so pieces have them only where a space asks for them.
  const tagged = parts.some((part) => hasSpaces(part) && tellsPiecesApart(part.layout));
  const components = parts.map((part): ComponentMaking => {
    const kind = tagged ? PIECE_KINDS[part.as] : undefined;
    const kindTag = kind && PIECE_TAGS[kind];
    const printed = part.cards.flatMap((card, index) => (card.copies > 0 ? [index] : []));
    const base = baseOf(part);
    if (part.as === 'die') {
      const cards = diceOf(part).map((faces): CardMaking => {
        const first = faces[0] ?? 0;
        const file = add(`${part.name} ${first + 1}`, dicePainting(part, faces));
        const made = making(part, first, diceObject(part, faces, file), kindTag);
        return { ...made, object: { ...made.object, Nickname: part.name } };
      });
      return { ...base, cards };
    }
    if (part.as !== 'deck') {
      const cards = printed.map((index): CardMaking => {
        const how = { dpi: settings.dpi, bleed: 0, clipToTrim: true, opaque: false };
        const png: Encoding = { type: 'image/png', quality: 1, dpi: settings.dpi };
        const label = `${part.name} ${cardName(rowOf(part, index), part.columns, index)}`;
        const front = add(label, cardPainting(part, rowOf(part, index), how), png, '.png');
        const back = part.back
          ? add(
              `${label} back`,
              cardPainting({ layout: part.back, columns: part.columns }, rowOf(part, index), how),
              png,
              '.png',
            )
          : '';
        return making(part, index, pieceObject(part, front, back), kindTag);
      });
      return { ...base, cards };
    }
    const single = settings.pictures === 'single';
    const spare = settings.hidden === 'blank' && !single ? 1 : 0;
    const grid = single
      ? chooseGrid(part.layout.size, 1, settings.dpi)
      : chooseGrid(part.layout.size, printed.length + spare, settings.dpi);
    dpis.push(grid.dpi);
    const room = Math.max(1, grid.columns * grid.rows - spare);
    const own = part.back !== null && !isStatic(part.back);
    const backLayout = part.back ?? plainBack(part.layout);
    const sharedBack = own
      ? undefined
      : add(
          `${part.name} back`,
          sheetPainting(backLayout, part, [EMPTY_ROW], { ...grid, columns: 1, rows: 1 }, null),
        );
    const cards: CardMaking[] = [];
    for (let start = 0, sheet = 1; start < printed.length; start += room, sheet++) {
      const shown = printed.slice(start, start + room);
      const rows = shown.map((index) => rowOf(part, index));
      const label = single
        ? `${part.name} ${cardName(rows[0] ?? EMPTY_ROW, part.columns, shown[0] ?? 0)}`
        : `${part.name} fronts ${sheet}`;
      const blank = spare > 0 ? HIDDEN_FACE : null;
      const faceUrl = add(label, sheetPainting(part.layout, part, rows, grid, blank));
      const backUrl = sharedBack ?? add(`${label} back`, sheetPainting(backLayout, part, rows, grid, blank));
      const custom: CustomDeck = {
        FaceURL: faceUrl,
        BackURL: backUrl,
        NumWidth: grid.columns,
        NumHeight: grid.rows,
        BackIsHidden: settings.hidden === 'back' || single,
        UniqueBack: own && !single,
        Type: deckType(part.layout),
      };
      for (const [slot, index] of shown.entries()) {
        const object = cardObject(part, key * 100 + slot, { [String(key)]: custom }, base.sideways);
        cards.push(making(part, index, object, kindTag));
      }
      key++;
    }
    return { ...base, cards };
  });
  return { images, components, dpi: [Math.max(0, ...dpis), Math.min(Infinity, ...dpis)] };
}

function baseOf({ id, name, as, layout }: TablePart): Omit<ComponentMaking, 'cards'> {
  const { w, h } = layout.size;
  const base = { id, name, as, sideways: w > h };
  if (as === 'die') return { ...base, scale: 1, room: footprintOf({ w: 0, h: 0 }) };
  return { ...base, scale: h / LIFE_SIZE_MM, room: footprintOf({ w, h }) };
}

function rowOf(part: PrintPart, index: number): Row {
  return { index: index + 1, count: part.cards.length, ...(part.cards[index]?.row ?? EMPTY_ROW) };
}

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Kinds of pieces that spaces tell apart. */
const PIECE_KINDS: Readonly<Partial<Record<TablePart['as'], AcceptedPiece>>> = {
  deck: 'card',
  token: 'token',
  figurine: 'token',
  tile: 'tile',
  die: 'die',
};

function making(part: TablePart, index: number, object: TtsObject, kindTag: string | undefined): CardMaking {
  const row = rowOf(part, index);
  const cell = (key: string | undefined): string => (key ? cellAt(row.cells, key) : '');
  const words = (key: string | undefined): string => (key ? cellAt(printedCells(row), key) : '');
  const id = part.cardIds[index] ?? String(index);
  const { nickname, description, gmNotes, tags, lua } = part.fields;
  return {
    id,
    copies: part.cards[index]?.copies ?? 0,
    object: {
      ...object,
      Nickname: nickname ? plainText(words(nickname)) : cardName(row, part.columns, index),
      Description: plainLines(words(description)),
      GMNotes: cell(gmNotes),
      Memo: memoOf(part.id, id),
      Tags: [...new Set([...tagsIn(cell(tags)), ...(kindTag === undefined ? [] : [kindTag])])],
      LuaScript: [cell(lua), scriptOf(part, row)].filter((script) => script !== '').join('\n'),
      LuaScriptState: '',
    },
  };
}

/** Script that makes the spaces of a board or tile snap points. */
const scriptOf = (part: TablePart, row: Row): string =>
  hasSpaces(part) ? boardScript(spacesOf(part.layout, row, part.columns), part.layout.size) : '';

const hasSpaces = ({ as }: TablePart): boolean => as === 'board' || as === 'tile';

function cardObject(
  part: TablePart,
  id: number,
  custom: Record<string, CustomDeck>,
  sideways: boolean,
): TtsObject {
  return {
    Name: part.as === 'deck' ? 'Card' : 'Custom_Token',
    SidewaysCard: sideways,
    HideWhenFaceDown: true,
    Hands: true,
    CardID: id,
    CustomDeck: custom,
  };
}

function pieceObject(part: TablePart, front: string, back: string): TtsObject {
  const image = { ImageURL: front, ImageSecondaryURL: back, WidthScale: 0 };
  switch (part.as) {
    case 'board':
      return { Name: 'Custom_Board', Locked: true, CustomImage: image };
    case 'figurine':
      return { Name: 'Figurine_Custom', CustomImage: image };
    case 'token':
      return {
        Name: 'Custom_Token',
        CustomImage: { ...image, CustomToken: { Thickness: 0.2, MergeDistancePixels: 15, Stackable: true } },
      };
    default:
      return {
        Name: 'Custom_Tile',
        CustomImage: {
          ...image,
          CustomTile: { Type: tileType(part.layout), Thickness: 0.2, Stackable: false, Stretch: true },
        },
      };
  }
}

function deckType({ size }: Layout): number {
  return { rounded: 0, rect: 1, 'hex-pointy': 3, 'hex-flat': 3, circle: 4 }[size.shape];
}

function tileType({ size }: Layout): number {
  return { rect: 0, 'hex-pointy': 1, 'hex-flat': 1, circle: 2, rounded: 3 }[size.shape];
}

/** A back for cards that have none. */
function plainBack(front: Layout): Layout {
  const layout = newLayout('Back', front.size);
  layout.base.fill = { kind: 'solid', color: PLAIN_BACK };
  return layout;
}

function sheetPainting(
  layout: Layout,
  part: PrintPart,
  rows: readonly Row[],
  grid: Omit<SheetGrid, 'dpi'>,
  spare: string | null,
): Painting {
  const { w, h } = layout.size;
  const scale = Math.min(grid.cellWidth / w, grid.cellHeight / h);
  const items = rows.map((row, index): PaintingItem => {
    const x = (index % grid.columns) * grid.cellWidth;
    const y = Math.floor(index / grid.columns) * grid.cellHeight;
    return {
      layout,
      row,
      columns: part.columns,
      x: x + (grid.cellWidth - w * scale) / 2,
      y: y + (grid.cellHeight - h * scale) / 2,
      scale,
      turn: 0,
      bleed: 0,
      clipToTrim: false,
      lowInk: false,
    };
  });
  return {
    width: grid.columns * grid.cellWidth,
    height: grid.rows * grid.cellHeight,
    background: spare ?? '#ffffff',
    items,
    lines: [],
  };
}

/** Names become part of addresses: letters, digits and dashes only. */
function urlName(name: string): string {
  const plain = safeName(name)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return plain || 'picture';
}

/** Six hexadecimal digits, no two alike. */
export class Guids {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  take(seed: string): string {
    for (let again = 0; ; again++) {
      const number = Number.parseInt(fingerprint(`${seed} ${again}`).slice(-9), 36) % 0x1000000;
      const guid = number.toString(16).padStart(6, '0');
      if (this.#taken.has(guid)) continue;
      this.#taken.add(guid);
      return guid;
    }
  }
}

export function transformAt(posX: number, posZ: number, scale: number, faceDown: boolean): Transform {
  return {
    posX,
    posY: 1,
    posZ,
    rotX: 0,
    rotY: 180,
    rotZ: faceDown ? 180 : 0,
    scaleX: scale,
    scaleY: 1,
    scaleZ: scale,
  };
}

/** Free room between decks, in the game's units. */
const DECK_GAP = 1;
/** Distance from a deck to its discard pile. */
const DISCARD_STEP = 3.5;

/** A new saved object: decks in a row, pieces below them. */
export function newSave(plan: SimulatorPlan, name: string, extras: SaveExtras = NO_EXTRAS): TtsSave {
  const guids = new Guids();
  const objects: TtsObject[] = [];
  const snaps: SnapPoint[] = [];
  const decks = plan.components.filter(({ as }) => as === 'deck');
  const rows = new Rows(-Math.max(0, ...decks.map(({ room }) => room.h / 2 + GAP)), -1);
  // The first deck lies in the middle.
  let left: number | undefined;
  for (const component of plan.components) {
    const { as, room, scale } = component;
    const pieces = copiesOf(component, guids);
    if (as !== 'deck') {
      const places = rows.take(pieces.length, room);
      for (const [at, piece] of pieces.entries()) {
        const { x, y } = places[at] ?? { x: 0, y: 0 };
        objects.push({ ...piece, Transform: transformAt(x, y, scale, false) });
      }
      continue;
    }
    const deck = deckObject(component, pieces, guids);
    if (!deck) continue;
    const x = left === undefined ? 0 : left + room.w / 2;
    left = x + room.w / 2 + DECK_GAP;
    if (extras.snapPoints) snaps.push(...deckSnapPoints(x, 0, DISCARD_STEP * scale));
    objects.push({ ...deck, Transform: transformAt(x, 0, scale, true) });
  }
  return {
    SaveName: name,
    GameMode: name,
    Note: '',
    Rules: '',
    LuaScript: '',
    LuaScriptState: '',
    XmlUI: '',
    ...(snaps.length > 0 && { SnapPoints: snaps }),
    TabStates: withNotebook(undefined, extras.notebook),
    ObjectStates: objects,
  };
}

/** Every copy of every card, with GUIDs. */
function copiesOf(component: ComponentMaking, guids: Guids): TtsObject[] {
  return component.cards.flatMap(({ id, copies, object }) =>
    Array.from({ length: copies }, (_, copy) => ({
      GUID: guids.take(`${id} ${copy}`),
      ...object,
      Transform: transformAt(0, 0, component.scale, true),
    })),
  );
}

/** A deck of cards; a single card stays one, and no cards make no object. */
export function deckObject(
  component: Pick<ComponentMaking, 'id' | 'name' | 'sideways'>,
  cards: readonly TtsObject[],
  guids: Guids,
): TtsObject | undefined {
  const [first] = cards;
  if (!first) return undefined;
  if (cards.length === 1) return { ...first, Name: 'CardCustom' };
  return {
    GUID: guids.take(`deck ${component.id}`),
    Name: 'DeckCustom',
    Nickname: component.name,
    Description: '',
    Memo: `${MEMO}${component.id}`,
    HideWhenFaceDown: true,
    Hands: false,
    SidewaysCard: component.sideways,
    ...deckContent(cards),
  };
}

/** Fields of a deck that follow from its cards. */
export function deckContent(
  cards: readonly TtsObject[],
): Required<Pick<TtsObject, 'DeckIDs' | 'CustomDeck' | 'ContainedObjects'>> {
  return {
    DeckIDs: cards.flatMap(({ CardID }) => (CardID === undefined ? [] : [CardID])),
    CustomDeck: Object.assign({}, ...cards.map(({ CustomDeck }) => CustomDeck)),
    ContainedObjects: [...cards],
  };
}
