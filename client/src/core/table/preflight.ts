import type { ImageSize } from '../layout/assets.ts';
import { cellAt, own } from '../records.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { DisplayList, Issue, Op, ZoneFrame } from '../scene/display/display-list.ts';
import { hitTestAll } from '../scene/display/hit-test.ts';
import { applyTo, IDENTITY, type Matrix, multiply, type Point, type Rect } from '../scene/display/matrix.ts';
import type { Layout } from '../scene/layout.ts';
import type { Zone } from '../scene/zones.ts';
import { keywordsOf, withoutEnclosed } from '../text/markup/braces.ts';

/** Kind of problem that a card can have before it is printed. */
export type FindingKind =
  | 'overflow'
  | 'missing-image'
  | 'missing-column'
  | 'font-fallback'
  | 'shrunk'
  | 'outside-safe'
  | 'low-resolution'
  | 'duplicate-id'
  | 'unused-column'
  | 'unknown-token'
  | 'word-icon'
  | 'formula'
  | 'other';

export interface Finding {
  readonly kind: FindingKind;
  /** Index of the card among those checked; `undefined` for the table as a whole. */
  readonly card: number | undefined;
  /** Key of the column to edit, where there is one. */
  readonly column: string | undefined;
  /** Name of a column that the table lacks. */
  readonly missing?: string;
  /** Ids of the layout and of the zone in it, where it is about one. */
  readonly layout?: string | undefined;
  readonly zone?: string;
  /** Of a text that was shrunk to fit: its size, in points. */
  readonly size?: number;
  readonly message: string;
}

/** Lowest resolution that looks sharp in print, in dots per inch. */
export const PRINT_DPI = 300;
/** Distance that text may reach past the safe area unseen, in millimetres: less than a hair. */
const TOLERANCE_MM = 0.05;
/** Difference of sizes that nobody sees, in points. */
const SIZE_TOLERANCE_PT = 0.05;
const MM_PER_INCH = 25.4;

const KINDS: Readonly<Partial<Record<Issue['code'], FindingKind>>> = {
  'text-overflow': 'overflow',
  'missing-image': 'missing-image',
  'unknown-column': 'missing-column',
  'missing-font': 'font-fallback',
  'missing-glyph': 'font-fallback',
  formula: 'formula',
};

/** Every zone of a layout, parents first. */
export function allZones(layout: Layout): Zone[] {
  const zones: Zone[] = [];
  const visit = (zone: Zone): void => {
    zones.push(zone);
    if ('children' in zone) for (const child of zone.children) visit(child as Zone);
  };
  for (const zone of layout.zones) visit(zone);
  return zones;
}

const fold = (text: string) => text.trim().toLowerCase();

/** The column that drives a zone's content: by its binding, or the first its own text names. */
function columnOf(layout: Layout, zoneId: string, columns: readonly Column[]): string | undefined {
  const zone = zoneId === 'base' ? layout.base : allZones(layout).find(({ id }) => id === zoneId);
  const bindings = zone?.bindings ?? {};
  const named = (name: string): string | undefined =>
    columns.find((column) => fold(column.key) === fold(name) || fold(column.name) === fold(name))?.key;
  for (const path of ['text', 'source', 'image.source', ...Object.keys(bindings)]) {
    const binding = own(bindings, path);
    const found = binding?.mode === 'column' ? named(binding.column) : undefined;
    if (found !== undefined) return found;
  }
  if (zone?.kind !== 'text') return undefined;
  for (const [, name = ''] of zone.text.matchAll(TOKEN)) {
    const found = named(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Findings with each missing column reported once, for the table as a whole: it is missing on every card. */
export class Gathered {
  readonly findings: Finding[] = [];
  readonly #told = new Set<string>();

  add(finding: Finding): void {
    if (finding.missing === undefined) {
      this.findings.push(finding);
      return;
    }
    if (this.#told.has(finding.message)) return;
    this.#told.add(finding.message);
    this.findings.push({ ...finding, card: undefined });
  }
}

/** The name of the column that a zone's property is bound to. */
function boundTo(layout: Layout, { zone: id, path = '' }: Issue): string | undefined {
  const zone = id === 'base' ? layout.base : allZones(layout).find((one) => one.id === id);
  const binding = zone && own(zone.bindings, path);
  return binding?.mode === 'column' ? binding.column.trim() : undefined;
}

/** A layout and the cards it paints one side of, by their indices among those checked. */
export interface Look {
  /** Id of the layout. */
  readonly id?: string;
  readonly layout: Layout;
  readonly side: 'front' | 'back';
  readonly cards: readonly number[];
}

export interface CardCheck {
  readonly layout: Layout;
  readonly list: DisplayList;
  readonly columns: readonly Column[];
  /** Pixel sizes of the images on the card. */
  readonly sizeOf: (image: string) => ImageSize | undefined;
  /** True if the smallest text that was shrunk to fit is told as well. */
  readonly sizes?: boolean;
}

/** Problems of one card as it is laid out. */
export function checkCard(
  card: number,
  { layout, list, columns, sizeOf, sizes = false }: CardCheck,
): Finding[] {
  const nameOf = new Map(list.zones.map(({ id, name }) => [id, name]));
  const findings: Finding[] = list.issues.map((issue) => {
    const { zone, code } = issue;
    const missing = code === 'unknown-column' ? boundTo(layout, issue) : undefined;
    return {
      kind: KINDS[code] ?? 'other',
      card,
      column: columnOf(layout, zone, columns),
      zone,
      ...(missing !== undefined && { missing }),
      message: `${nameOf.get(zone) ?? 'Card'}: ${issue.message}`,
    };
  });
  const worst = worstReach(list, layout.safe as number);
  if (worst) {
    const frame = frameOfWord(list, worst);
    findings.push({
      kind: 'outside-safe',
      card,
      column: frame && columnOf(layout, frame.zone, columns),
      message: `${frame ? `${frame.name}: text` : 'Text'} reaches ${worst.past.toFixed(1)} mm out of the safe area.`,
    });
  }
  const shrunk = sizes ? smallestShrunk(layout, list) : undefined;
  if (shrunk) {
    const { name, zone, fittedSize } = shrunk;
    findings.push({
      kind: 'shrunk',
      card,
      column: columnOf(layout, zone, columns),
      zone,
      size: fittedSize,
      message: `${name}: text shrinks to ${fittedSize.toFixed(1)} pt.`,
    });
  }
  return [...findings, ...coarseImages(card, { layout, list, columns, sizeOf })];
}

/** The smallest text that is set smaller than its zone says. */
function smallestShrunk(layout: Layout, list: DisplayList): ZoneFrame | undefined {
  const wanted = new Map(
    allZones(layout).map((zone) => [zone.id, zone.kind === 'text' ? zone.style.size : 0]),
  );
  let smallest: ZoneFrame | undefined;
  for (const frame of list.zones) {
    const { kind, zone, fittedSize, blank } = frame;
    if (kind !== 'text' || blank || fittedSize <= 0) continue;
    if (fittedSize > (wanted.get(zone) ?? 0) - SIZE_TOLERANCE_PT) continue;
    if (!smallest || fittedSize < smallest.fittedSize) smallest = frame;
  }
  return smallest;
}

/** A word that reaches out of the safe area. */
interface Reach {
  /** By how many millimetres. */
  readonly past: number;
  readonly text: string;
  /** Its middle, on the card. */
  readonly at: Point;
}

/** Runs over a list's operations with the matrix that holds for each. */
function walk(ops: readonly Op[], visit: (op: Op, matrix: Matrix) => void): void {
  const stack: Matrix[] = [IDENTITY];
  for (const op of ops) {
    const matrix = stack[stack.length - 1] ?? IDENTITY;
    if (op.op === 'push') stack.push(multiply(matrix, op.matrix));
    else if (op.op === 'pop') stack.pop();
    else visit(op, matrix);
  }
}

/** The word that reaches farthest out of the safe area; undefined where all stay inside. */
function worstReach(list: DisplayList, safe: number): Reach | undefined {
  let worst: Reach | undefined;
  walk(list.ops, (op, matrix) => {
    if (op.op !== 'text') return;
    for (const { y, size, words } of op.runs) {
      for (const { x, width, text } of words) {
        if (text.trim() === '') continue;
        let past = 0;
        // From a little above small letters to a little below the baseline: the usual extent of ink.
        for (const [px, py] of [
          [x, y - size * 0.7],
          [x + width, y - size * 0.7],
          [x, y + size * 0.2],
          [x + width, y + size * 0.2],
        ] as const) {
          const at = applyTo(matrix, { x: px, y: py });
          past = Math.max(past, safe - at.x, safe - at.y, at.x - (list.w - safe), at.y - (list.h - safe));
        }
        if (past <= Math.max(TOLERANCE_MM, worst?.past ?? 0)) continue;
        worst = { past, text, at: applyTo(matrix, { x: x + width / 2, y: y - size * 0.25 }) };
      }
    }
  });
  return worst;
}

/** The zone of a word: the one under it or, for a word outside its zone, one whose text holds it. */
function frameOfWord(list: DisplayList, { text, at }: Reach): ZoneFrame | undefined {
  const says = (frame: ZoneFrame): boolean => frame.kind === 'text' && frame.text.includes(text);
  return hitTestAll(list, at).find(says) ?? list.zones.find(says);
}

/** The image that an operation paints; a stamp's at the first of its places. */
function imageOf(op: Op): { readonly image: string; readonly box: Rect } | undefined {
  if (op.op === 'image') return op;
  if (op.op !== 'stamp' || !op.image) return undefined;
  const { image, box } = op.image;
  return { image, box: { ...box, x: box.x + (op.at[0] ?? 0), y: box.y + (op.at[1] ?? 0) } };
}

function coarseImages(card: number, { layout, list, columns, sizeOf }: CardCheck): Finding[] {
  const worst = new Map<string, { dpi: number; at: Point }>();
  walk(list.ops, (op, matrix) => {
    const shown = imageOf(op);
    if (!shown) return;
    const [a, b, c, d] = matrix;
    const { image, box } = shown;
    const size = sizeOf(image);
    if (!size || size.vector || box.w <= 0 || box.h <= 0) return;
    const across = size.w / ((box.w * Math.hypot(a, b)) / MM_PER_INCH);
    const down = size.h / ((box.h * Math.hypot(c, d)) / MM_PER_INCH);
    const dpi = Math.min(across, down);
    if (dpi >= (worst.get(image)?.dpi ?? Infinity)) return;
    worst.set(image, { dpi, at: applyTo(matrix, { x: box.x + box.w / 2, y: box.y + box.h / 2 }) });
  });
  return [...worst].flatMap(([image, { dpi, at }]) => {
    if (Math.round(dpi) >= PRINT_DPI) return [];
    const under = hitTestAll(list, at);
    const painted = under.filter(({ kind }) => kind === 'image' || kind === 'base');
    const column = [...painted, ...under]
      .map(({ zone, kind }) => columnOf(layout, kind === 'base' ? 'base' : zone, columns))
      .find((key) => key !== undefined);
    const name = image.length > 60 ? `${image.slice(0, 59)}…` : image;
    const message = `${name} is printed at ${Math.round(dpi)} dpi; ${PRINT_DPI} look sharp.`;
    return [{ kind: 'low-resolution' as const, card, column, message }];
  });
}

/** A brace with a name in it: `{Name}`, `{Name:text}`. */
const TOKEN = /\{([^{}:,/.]{1,80})(?=[:}])/g;

/** Problems of the table, whatever its cards look like. */
export function checkTable(
  looks: readonly Look[],
  rows: readonly Row[],
  columns: readonly Column[],
  idColumn: string | undefined,
  /** Keys of columns that are for the table alone. */
  exempt: ReadonlySet<string>,
): Finding[] {
  const findings: Finding[] = [];
  if (idColumn !== undefined) {
    const first = new Map<string, number>();
    rows.forEach((row, card) => {
      const id = cellAt(row.cells, idColumn).trim();
      const before = first.get(id);
      if (id === '') {
        findings.push({ kind: 'duplicate-id', card, column: idColumn, message: 'This card has no id.' });
      } else if (before !== undefined) {
        const message = `“${id}” is also the id of card ${before + 1}.`;
        findings.push({ kind: 'duplicate-id', card, column: idColumn, message });
      } else {
        first.set(id, card);
      }
    });
  }
  if (looks.length === 0) return findings;
  const used = new Set(looks.flatMap(({ layout }) => [...usedColumns(layout, columns)]));
  for (const { key, name } of columns) {
    if (used.has(key) || exempt.has(key) || key === idColumn) continue;
    findings.push({
      kind: 'unused-column',
      card: undefined,
      column: key,
      message: `“${name}” is on no card: nothing in the ${looks.length > 1 ? 'layouts use' : 'layout uses'} it.`,
    });
  }
  for (const look of looks) {
    findings.push(...unknownTokens(look, rows, columns), ...wordIcons(look, rows, columns));
  }
  return findings;
}

/** Keys of the columns shown by a layout's texts. */
const textColumns = (layout: Layout, columns: readonly Column[]): ReadonlySet<string> =>
  new Set(
    allZones(layout).flatMap((zone) =>
      zone.kind === 'text' ? (columnOf(layout, zone.id, columns) ?? []) : [],
    ),
  );

/** Words of the cards' texts that stand for an icon: in running text that may be unintended. */
function wordIcons({ layout, cards }: Look, rows: readonly Row[], columns: readonly Column[]): Finding[] {
  const icons = layout.variables.filter((one) => one.kind === 'icon' && one.anywhere);
  const keywords = keywordsOf(icons.map((one) => ({ ...one, token: '' })));
  if (!keywords) return [];
  const texts = textColumns(layout, columns);
  const findings: Finding[] = [];
  for (const card of cards) {
    for (const column of texts) {
      const text = withoutEnclosed(cellAt(rows[card]?.cells ?? {}, column), '{', '}');
      const words = new Set(Array.from(text.matchAll(keywords.pattern), ([word]) => word));
      // A cell that holds the word alone means its icon.
      if (words.size === 0 || words.has(text.trim())) continue;
      const message = `An icon stands for ${[...words].map((word) => `“${word}”`).join(', ')}. To keep the word, switch off “Wherever the word stands” and write {name} for the icon.`;
      findings.push({ kind: 'word-icon', card, column, message });
    }
  }
  return findings;
}

/** Tokens in braces in the texts of a look's cards that its layout does not define. */
function unknownTokens({ layout, cards }: Look, rows: readonly Row[], columns: readonly Column[]): Finding[] {
  const findings: Finding[] = [];
  const known = new Set([
    ...layout.variables.map(({ name }) => fold(name)),
    ...columns.flatMap(({ key, name }) => [fold(key), fold(name)]),
  ]);
  const texts = textColumns(layout, columns);
  for (const card of cards) {
    for (const column of texts) {
      const text = cellAt(rows[card]?.cells ?? {}, column);
      for (const [, name = ''] of withoutEnclosed(text, '{{', '}}').matchAll(TOKEN)) {
        if (known.has(fold(name))) continue;
        const message = `{${name}} is no variable or style of the layout: it is printed as it stands.`;
        findings.push({ kind: 'unknown-token', card, column, message });
      }
    }
  }
  return findings;
}

/** Keys of the columns that a layout mentions anywhere: in bindings, formulas, texts, or as a zone's style. */
function usedColumns(layout: Layout, columns: readonly Column[]): ReadonlySet<string> {
  const source = JSON.stringify([layout.base, layout.zones, layout.variables]).toLowerCase();
  const zones = new Set(allZones(layout).map(({ name }) => `${fold(name)} style`));
  return new Set(
    columns
      .filter(({ key, name }) => {
        const quoted = (text: string) => JSON.stringify(text.toLowerCase());
        const mentioned = (text: string) =>
          new RegExp(`\\b${fold(text).replace(/[^a-z0-9_ ]/g, '.')}\\b`).test(formulasOf(source));
        return (
          source.includes(`"column":${quoted(key)}`) ||
          source.includes(`"column":${quoted(name.trim())}`) ||
          zones.has(fold(name)) ||
          mentioned(key) ||
          mentioned(name)
        );
      })
      .map(({ key }) => key),
  );
}

/** The formulas and braces of a layout's JSON, as one text. */
function formulasOf(source: string): string {
  return [
    ...source.matchAll(/"formula":"((?:[^"\\]|\\.)*)"|\{\{((?:(?!\{\{).){0,4000}?)\}\}|\{([^{}"]{1,80})\}/g),
  ]
    .map(([, a, b, c]) => a ?? b ?? c ?? '')
    .join('\n');
}
