import type { Whole } from './languages.ts';
import { closingToken, linePieces, type Piece, UNSAFE, withoutUnsafe } from './pieces.ts';
import type { TranslatedUnit } from './translation.ts';
import type { TextForm } from './unit.ts';

/** Namespace of XLIFF 2.0 and 2.1. */
export const XLIFF = 'urn:oasis:names:tc:xliff:document:2.0';
/** Kind of note that holds the source of a stale translation. */
export const FORMER_SOURCE = 'former-source';

/** The thing that is translated, and the languages of one translation of it. */
export interface TranslationHead {
  readonly whole: Whole;
  /** Id of what is translated. */
  readonly id: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
}

/**
 * A translation as XLIFF 2.0, a unit each. A segment is `translated` when it is done; else `initial`,
 * without a target when it is missing, and with the former source in a note when it is stale.
 */
export function writeXliff(
  { id: whole, title, from, to }: Omit<TranslationHead, 'whole'>,
  units: readonly TranslatedUnit[],
): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${XLIFF}" version="2.0" srcLang="${attribute(from)}" trgLang="${attribute(to)}">`,
    `  <file id="${attribute(whole)}" original="${attribute(title)}" xml:space="preserve">`,
    ...units.flatMap(unitLines),
    '  </file>',
    '</xliff>',
  ];
  return `${lines.join('\n')}\n`;
}

function unitLines({ unit, state, text, was }: TranslatedUnit): string[] {
  const { id, label, form } = unit;
  const codes = new Codes();
  const content = (words: string): string => codes.write(piecesOf(form, words));
  const source = content(unit.source);
  codes.again();
  const target = text === undefined ? undefined : content(text);
  const note = was === undefined ? undefined : noteOf(was);
  return [
    `    <unit id="${attribute(id)}" name="${attribute(label)}" canResegment="no">`,
    ...(note === undefined
      ? []
      : [
          '      <notes>',
          `        <note category="${FORMER_SOURCE}">${escaped(note)}</note>`,
          '      </notes>',
        ]),
    ...codes.dataLines(),
    `      <segment state="${state === 'done' ? 'translated' : 'initial'}">`,
    `        <source>${source}</source>`,
    ...(target === undefined ? [] : [`        <target>${target}</target>`]),
    '      </segment>',
    '    </unit>',
  ];
}

/** A stored text that is none any longer is exported as words. */
function piecesOf(form: TextForm, text: string): readonly Piece[] {
  try {
    return form.pieces(text);
  } catch {
    return linePieces(text);
  }
}

/** A former source in a note, which holds no elements. */
const noteOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutUnsafe(line.replaceAll('\\', '\\\\')))
    .join('\n');

/** The nearest kind of XLIFF, for programs that know nothing of ours. */
function typeOf(token: string): string {
  if (token === '<b>' || token === '**') return ' type="fmt" subType="xlf:b"';
  if (token === '<i>' || token === '*' || token === '_') return ' type="fmt" subType="xlf:i"';
  if (token === '[') return ' type="link"';
  if (token.startsWith('<t ') || token.startsWith('{§')) return ' type="link"';
  return token.startsWith('{@') || token.startsWith('{{') ? ' type="other"' : ' type="image"';
}

/** The placeholders of one unit: the target's have the ids of the source's that say the same. */
class Codes {
  readonly #data = new Map<string, string>();
  readonly #ids = new Map<string, string[]>();
  #free = new Map<string, string[]>();
  #last = 0;

  /** From here on the ids so far are given again. */
  again(): void {
    this.#free = new Map([...this.#ids].map(([token, ids]) => [token, [...ids]]));
  }

  write(pieces: readonly Piece[]): string {
    return pieces.map((piece) => this.#piece(piece)).join('');
  }

  dataLines(): string[] {
    if (this.#data.size === 0) return [];
    const lines = [...this.#data].map(
      ([token, id]) => `        <data id="${id}">${withCodePoints(token)}</data>`,
    );
    return ['      <originalData>', ...lines, '      </originalData>'];
  }

  #piece(piece: Piece): string {
    if (piece.kind === 'break') return '\n';
    if (piece.kind === 'words') return withCodePoints(piece.text);
    const { token } = piece;
    if (piece.kind === 'close') return '</pc>';
    const id = this.#idOf(token);
    const shared = `${typeOf(token)} canCopy="no" canDelete="no"`;
    if (piece.kind === 'single') {
      return `<ph id="${id}"${shared} disp="${attribute(token)}" dataRef="${this.#dataOf(token)}"/>`;
    }
    const end = piece.end ?? closingToken(token);
    return `<pc id="${id}"${shared} dispStart="${attribute(token)}" dispEnd="${attribute(end)}" dataRefStart="${this.#dataOf(token)}" dataRefEnd="${this.#dataOf(end)}">`;
  }

  #idOf(token: string): string {
    const known = this.#free.get(token)?.shift();
    if (known !== undefined) return known;
    const id = `${++this.#last}`;
    this.#ids.set(token, [...(this.#ids.get(token) ?? []), id]);
    return id;
  }

  #dataOf(token: string): string {
    const known = this.#data.get(token);
    if (known !== undefined) return known;
    const id = `d${this.#data.size + 1}`;
    this.#data.set(token, id);
    return id;
  }
}

/** Text of XML, or a value in double quotes. */
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));
const attribute = (text: string): string =>
  escaped(text.replace(UNSAFE, '\ufffd')).replaceAll('"', '&quot;').replaceAll('\t', '&#9;');

/** Words with an element for each character that XML cannot hold or would change. */
function withCodePoints(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(UNSAFE)) {
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    parts.push(escaped(text.slice(at, match.index)), `<cp hex="${code}"/>`);
    at = match.index + 1;
  }
  return [...parts, escaped(text.slice(at))].join('');
}
