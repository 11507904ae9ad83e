import * as z from 'zod';
import { RulebookError } from '../document/error.ts';
import { LIMITS } from '../document/limits.ts';
import {
  type Block,
  CALLOUT_KINDS,
  type CalloutKind,
  cardsSchema,
  figureSchema,
  type Inline,
  idSchema,
  languageSchema,
  liveSchema,
  nameSchema,
  pageBreakSchema,
  parseRulebook,
  RULEBOOK_VERSION,
  type Rulebook,
  ruleSchema,
  tableSchema,
} from '../document/schema.ts';
import { fitting } from './fit.ts';
import { readInlines } from './inlines.ts';
import * as kinds from './lines.ts';

/** Longest Markdown that is read, in characters. */
export const MAX_MARKDOWN = 4_000_000;

/** Longest line: three times the longest text of a block. */
const MAX_LINE = 60_000;

/** A rulebook read from Markdown; what its head does not say is left out. */
export interface ReadBook extends Partial<Pick<Rulebook, 'title' | 'subtitle' | 'language'>> {
  readonly blocks: readonly Block[];
}

/**
 * Reads Markdown: that of `writeMarkdown`, and everybody else's as far as a rulebook has a form for it. No words are lost
 * but those of comments and of addresses of pictures.
 * @throws RulebookError when it is longer or deeper than a rulebook may be
 */
export function readMarkdown(source: string): ReadBook {
  if (source.length > MAX_MARKDOWN) {
    throw new RulebookError(
      `The text has ${source.length} characters; ${MAX_MARKDOWN} can be read: divide it.`,
    );
  }
  const lines = source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', '    '));
  const long = lines.findIndex(({ length }) => length > MAX_LINE);
  if (long >= 0) {
    throw new RulebookError(
      `Line ${long + 1} has more than ${MAX_LINE} characters: divide it into paragraphs.`,
    );
  }
  const { head, first } = headOf(lines);
  const body = lines.slice(first);
  const blocks = fitting(new Reader().read(body, 1));
  const { title = '-', subtitle = '', language = 'en' } = head;
  // The limits are those of every rulebook.
  return {
    ...head,
    blocks: parseRulebook({ version: RULEBOOK_VERSION, title, subtitle, language, blocks }).blocks,
  };
}

/** The lines between `---` at the beginning. */
function headOf(lines: readonly string[]): { head: Omit<ReadBook, 'blocks'>; first: number } {
  const end = lines[0]?.trim() === '---' ? lines.indexOf('---', 1) : -1;
  if (end < 0) return { head: {}, first: 0 };
  const fields = new Map<string, string>();
  for (const line of lines.slice(1, end)) {
    const [, key = '', value = ''] = /^(\w+):(.*)$/s.exec(line) ?? [];
    fields.set(key.toLowerCase(), unquoted(value.trim()));
  }
  const title = fields.get('title')?.slice(0, LIMITS.title);
  const subtitle = fields.get('subtitle')?.slice(0, LIMITS.subtitle);
  const language = fields.get('language') ?? fields.get('lang');
  const known = languageSchema.safeParse(language).success;
  const head = {
    ...(title && { title }),
    ...(subtitle && { subtitle }),
    ...(known && language && { language }),
  };
  return { head, first: end + 1 };
}

function unquoted(value: string): string {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'string' ? read : value;
  } catch {
    return value.replace(/^'(.*)'$/, '$1');
  }
}

/** The fields of blocks that stand in comments; others beside them are left out. */
const termNote = z.object({ variants: z.array(nameSchema), forbidden: z.array(nameSchema) });
const tableNote = z.object(tableSchema.pick({ headRows: true, widths: true }).shape);
const figureNote = z.object(figureSchema.pick({ place: true, width: true }).shape);
const breakNote = pageBreakSchema.shape.to;
const listNote = liveSchema.shape.show;
const countNote = ruleSchema.shape.depth;
const cardsNote = cardsSchema.shape.names;

/** Blocks from lines, one after the other. */
class Reader {
  #ids = 0;
  readonly #taken = new Set<string>();

  read(lines: readonly string[], depth: number): Block[] {
    // Deeper than this, signs are text.
    if (depth > LIMITS.depth) return this.#plain(lines);
    const blocks: Block[] = [];
    /** Comments that say something of the block that comes. */
    let notes = new Map<string, unknown>();
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] ?? '';
      const note = kinds.noteOf(line);
      if (note && !STANDING.has(note.kind)) {
        notes.set(note.kind, note.value);
        at++;
      } else if (kinds.isBlank(line) || kinds.isRule(line)) at++;
      else {
        const { made, next } = this.#block(lines, at, notes, depth);
        blocks.push(...made);
        at = Math.max(next, at + 1);
        notes = new Map();
      }
    }
    return blocks;
  }

  #plain(lines: readonly string[]): Block[] {
    const text = lines.map((line) => line.trim()).filter((line) => line !== '');
    return text.map((line) => ({ type: 'paragraph', id: this.#id(), content: readInlines(line) }));
  }

  #id(wanted?: unknown): string {
    const given = typeof wanted === 'string' && idSchema.safeParse(wanted).success ? wanted : undefined;
    if (given !== undefined && !this.#taken.has(given)) {
      this.#taken.add(given);
      return given;
    }
    for (;;) {
      const id = `m${this.#ids++}`;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }

  #block(
    lines: readonly string[],
    at: number,
    notes: ReadonlyMap<string, unknown>,
    depth: number,
  ): { readonly made: readonly Block[]; readonly next: number } {
    const line = lines[at] ?? '';
    const id = () => this.#id(notes.get('id'));
    const note = kinds.noteOf(line);
    if (note?.kind === 'empty') return one(this.#text([], notes, id()), at + 1);
    if (note) return this.#standing(note, lines, at, id(), depth);
    const heading = kinds.headingOf(line);
    if (heading) {
      const level = Math.min(4, heading.level) as 1 | 2 | 3 | 4;
      return one({ type: 'heading', id: id(), level, content: readInlines(heading.text) }, at + 1);
    }
    const fence = kinds.fenceOf(line);
    if (fence !== undefined) return this.#fenced(lines, at, fence, id());
    if (kinds.isQuote(line)) return this.#callout(lines, at, id(), depth);
    const marker = kinds.markerOf(line);
    if (marker) return this.#list(lines, at, marker.kind, id(), depth);
    const figure = kinds.figureOf(line);
    if (figure) {
      const { place, width } = figureNote.safeParse(notes.get('figure')).data ?? {
        place: 'column',
        width: 1,
      };
      const { caption, next } = this.#caption(lines, at + 1);
      const source = figure.source.slice(0, LIMITS.title);
      const alt = figure.alt.slice(0, LIMITS.alt);
      return one({ type: 'figure', id: id(), source, alt, place, width, caption }, next);
    }
    if (kinds.isTableRow(line) && kinds.isTableRule(lines[at + 1])) {
      return this.#table(lines, at, notes.get('table'), id());
    }
    if (kinds.captionOf(lines[at + 1]) !== undefined) return this.#definition(lines, at, notes, id());
    return this.#paragraph(lines, at, notes, id());
  }

  /** A block that is a comment itself. */
  #standing({ kind, value }: kinds.Note, lines: readonly string[], at: number, id: string, depth: number) {
    if (kind === 'break') {
      const to = breakNote.safeParse(value).data;
      return to ? one({ type: 'pageBreak', id, to }, at + 1) : none(at + 1);
    }
    if (kind === 'list') {
      const show = listNote.safeParse(value).data;
      return show ? one({ type: 'live', id, show }, at + 1) : none(at + 1);
    }
    if (kind === 'cards') {
      const names = cardsNote.safeParse(value).data;
      const { caption, next } = this.#caption(lines, at + 1);
      return names ? one({ type: 'cards', id, names, caption }, next) : none(at + 1);
    }
    const count = countNote.safeParse(value).data;
    if (kind !== 'columns' || !count) return none(at + 1);
    const end = indexFrom(lines, at + 1, (line) => kinds.noteOf(line)?.kind === 'end');
    const next = end < 0 ? lines.length : end + 1;
    const inside = this.read(lines.slice(at + 1, end < 0 ? undefined : end), depth + 1);
    return one({ type: 'columns', id, count, blocks: inside }, next);
  }

  #caption(lines: readonly string[], at: number): { caption: Inline[]; next: number } {
    const caption = kinds.captionOf(lines[at]);
    return caption === undefined
      ? { caption: [], next: at }
      : { caption: readInlines(caption), next: at + 1 };
  }

  #fenced(lines: readonly string[], at: number, fence: string, id: string) {
    const end = indexFrom(lines, at + 1, (line) => line.trim().startsWith(fence));
    const inside = lines.slice(at + 1, end < 0 ? undefined : end);
    const content = inside.flatMap((line, place): Inline[] => [
      ...(place > 0 ? [{ type: 'break' } as const] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
    ]);
    return one({ type: 'paragraph', id, content }, end < 0 ? lines.length : end + 1);
  }

  #callout(lines: readonly string[], at: number, id: string, depth: number) {
    let end = at;
    while (end < lines.length && kinds.isQuote(lines[end] ?? '')) end++;
    const inside = lines.slice(at, end).map(kinds.withoutQuote);
    const [, word = '', title = ''] = /^\[!(\w+)\] ?(.*)$/.exec(inside[0] ?? '') ?? [];
    const kind: CalloutKind | undefined =
      CALLOUT_KINDS.find((known) => known === word.toLowerCase()) ?? ALERTS[word.toLowerCase()];
    const blocks = this.read(word === '' ? inside : inside.slice(1), depth + 1);
    return one(
      { type: 'callout', id, kind: kind ?? 'note', title: title.slice(0, LIMITS.title), blocks },
      end,
    );
  }

  #list(lines: readonly string[], at: number, kind: 'bullets' | 'steps', id: string, depth: number) {
    const items: { id: string; blocks: readonly Block[] }[] = [];
    let place = at;
    for (;;) {
      const marker = kinds.markerOf(lines[place] ?? '');
      if (!marker || marker.kind !== kind) break;
      const end = endOfItem(lines, place + 1, marker.text);
      const inside = lines.slice(place, end).map((line) => line.slice(marker.text));
      place = end;
      items.push({ id: this.#id(), blocks: this.read(inside, depth + 1) });
      // Items may have empty lines between them.
      let after = place;
      while (after < lines.length && kinds.isBlank(lines[after] ?? '')) after++;
      if (kinds.markerOf(lines[after] ?? '')?.kind === kind) place = after;
    }
    return one({ type: 'list', id, marker: kind, items }, place);
  }

  #table(lines: readonly string[], at: number, note: unknown, id: string) {
    let end = at + 2;
    while (end < lines.length && kinds.isTableRow(lines[end]) && !kinds.isBlank(lines[end] ?? '')) end++;
    const head = kinds.cellsOf(lines[at] ?? '');
    const given = [head, ...lines.slice(at + 2, end).map(kinds.cellsOf)];
    const { headRows = 1, widths } = tableNote.safeParse(note).data ?? {};
    const widest = given.reduce((most, { length }) => Math.max(most, length), 1);
    const columns = Math.min(LIMITS.cells, widest);
    const rows = given
      .slice(headRows === 0 && given.length > 1 && head.every((cell) => cell === '') ? 1 : 0)
      .map((cells) => Array.from({ length: columns }, (_, cell) => readInlines(cells[cell] ?? '')));
    const { caption, next } = this.#caption(lines, end);
    const wanted = kinds.alignmentsOf(lines[at + 1] ?? '');
    const align = Array.from({ length: columns }, (_, column) => wanted[column] ?? 'left');
    return one(
      {
        type: 'table',
        id,
        caption,
        headRows: Math.min(headRows, rows.length),
        ...(widths?.length === columns && { widths }),
        ...(align.some((side) => side !== 'left') && { align }),
        rows,
      },
      next,
    );
  }

  #definition(lines: readonly string[], at: number, notes: ReadonlyMap<string, unknown>, id: string) {
    const { variants, forbidden } = termNote.safeParse(notes.get('term')).data ?? {
      variants: [],
      forbidden: [],
    };
    const words = readInlines((lines[at] ?? '').trim()).map((inline) =>
      inline.type === 'text' || inline.type === 'term' ? inline.text : '',
    );
    const term = words.join('').slice(0, LIMITS.title) || '?';
    const content = readInlines(kinds.captionOf(lines[at + 1]) ?? '');
    return one({ type: 'definition', id, term, variants, forbidden, content }, at + 2);
  }

  #paragraph(lines: readonly string[], at: number, notes: ReadonlyMap<string, unknown>, id: string) {
    const parts = [(lines[at] ?? '').trimStart()];
    let end = at + 1;
    while (end < lines.length && !kinds.endsParagraph(lines[end] ?? '', lines[end + 1])) {
      const underline = /^ {0,3}(=+|-+) *$/.exec(lines[end] ?? '')?.[1];
      if (underline) {
        const level = underline.startsWith('=') ? 1 : 2;
        return one({ type: 'heading', id, level, content: readInlines(joined(parts)) }, end + 1);
      }
      parts.push((lines[end] ?? '').trimStart());
      end++;
    }
    const content = readInlines(joined(parts));
    return one(this.#text(content, notes, id), end);
  }

  #text(content: Inline[], notes: ReadonlyMap<string, unknown>, id: string): Block {
    const depth = countNote.safeParse(notes.get('rule')).data;
    return depth ? { type: 'rule', id, depth, content } : { type: 'paragraph', id, content };
  }
}

/** Comments that are blocks of their own. */
const STANDING: ReadonlySet<string> = new Set(['break', 'list', 'empty', 'cards', 'columns']);

/** Kinds that other programs have. */
const ALERTS: Readonly<Record<string, CalloutKind>> = {
  tip: 'note',
  info: 'note',
  warning: 'important',
  caution: 'important',
  question: 'faq',
};

/** The place after the last line that goes on with an item whose text begins at a column. */
function endOfItem(lines: readonly string[], from: number, column: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    // Empty lines go on with it if what comes after them does.
    if (kinds.isBlank(line)) continue;
    if (line.length - line.trimStart().length < column) break;
    end = at + 1;
  }
  return end;
}

/** The place of the first line that fits, from one on; -1 if none does. */
function indexFrom(lines: readonly string[], from: number, fits: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (fits(lines[at] ?? '')) return at;
  return -1;
}

/** The lines of a paragraph as one; a backslash or two spaces at an end break the line. */
const joined = (parts: readonly string[]): string =>
  parts
    .map((part, at) => {
      if (at === parts.length - 1) return part.trimEnd();
      if (/(^|[^\\])\\$/.test(part)) return `${part.slice(0, -1)}<br>`;
      return `${part.trimEnd()}${part.endsWith('  ') ? '<br>' : ' '}`;
    })
    .join('');

const one = (block: Block, next: number) => ({ made: [block], next });
const none = (next: number): { made: Block[]; next: number } => ({ made: [], next });
