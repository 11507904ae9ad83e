import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Variable } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { planImport } from '../import.ts';
import { hasWords, type Piece, rawText } from '../pieces.ts';
import { checkedText, type Entries, type Entry, unitStates } from '../translation.ts';
import type { Unit } from '../unit.ts';
import { decodeXliff, readXliff } from '../xliff-read.ts';
import { type TranslationHead, writeXliff } from '../xliff-write.ts';
import { type CardSet, cardUnits } from './card-units.ts';

/** Words that XML, its readers or the notation of cards could take for something else, or lose. */
const AWKWARD = [
  ...[
    '&',
    '<',
    '>',
    '"',
    "'",
    '&amp;',
    '&#10;',
    '&lt;b&gt;',
    '&nbsp;',
    ']]>',
    '<![CDATA[',
    '<!-- no -->',
    '<?xml?>',
  ],
  ...['<source>', '</target>', '<ph id="1"/>', '<cp hex="0007"/>', '%s', '%1$d', '$1', '\\u0007', '\\\\'],
  ...[
    ' ',
    '  ',
    '\t',
    '\r',
    '\r\n',
    '\n',
    '\n\n',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u3000',
  ],
  ...[
    '\u200e',
    '\u200f',
    '\u202b',
    '\u202c',
    '\u2067',
    '\u2069',
    '\u200d',
    '\u0000',
    '\u0007',
    '\u007f',
    '\ufffe',
  ],
  ...['\ud800', '\udc00', '🂡', 'שָׁלוֹם', 'مُعَلِّم', '火山', 'e\u0301', 'é'],
];
const MARKUP = [
  ...[
    '{Cost}',
    '{name}',
    '{{Cost * 2}}',
    '{Loud: ',
    '}',
    '{',
    '**',
    '*',
    '_',
    '[',
    '](https://a.test/?a=1&b="2")',
  ],
  ...['<br>', 'Force', '[c]', '{Icons/a&b.png, 0.9}', '{{"<b>" & \'"\'}}', '\\*'],
];
const anyWords = fc
  .array(fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 })
  .map((parts) => parts.join(''));
const anyText = fc
  .array(fc.oneof(anyWords, fc.constantFrom(...MARKUP), fc.constant('Draw two')), {
    minLength: 1,
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

const VARIABLES: readonly Variable[] = [
  { kind: 'icon', name: 'Force', source: 'force.png', size: 1, offset: 0, anywhere: true },
  { kind: 'icon', name: 'credit', source: 'credit.png', size: 1, offset: 0, token: '[c]' },
  { kind: 'style', name: 'Loud', style: { weight: 700 } },
];

/** Cards with these texts; the last one is a zone's own. */
function setOf(texts: readonly string[], label: string): CardSet {
  const zone = {
    ...newZone('text', 'own', label || 'Own', { x: 0, y: 0, w: 20, h: 5 }),
    text: texts.at(-1) ?? '',
  };
  return {
    id: 'a b&c',
    name: label,
    columns: [
      { key: 'name', name: 'Name', type: 'text' },
      { key: '<text>', name: label, type: 'text', translate: true },
      { key: 'cost', name: 'Cost', type: 'number' },
    ],
    cards: texts.slice(0, -1).map((text, at) => ({ id: `k"${at}`, cells: { name: label, '<text>': text } })),
    layouts: [
      { id: 'l&1', name: label, layout: { ...newLayout('L'), variables: [...VARIABLES], zones: [zone] } },
    ],
  };
}

/** A translation that keeps all that is not words, with other words in between. */
function translated({ form }: Unit, source: string, words: string): string {
  const text = rawText(
    form
      .pieces(source)
      .map(
        (piece): Piece =>
          piece.kind === 'words' && hasWords(piece.text) ? { ...piece, text: words } : piece,
      ),
  );
  return text.trim() === '' ? 'x' : text;
}

/** True if a translation has all that is not words of the source that it was made from. */
function isSound(units: readonly Unit[], id: string, { source, text }: Entry): boolean {
  const unit = units.find((one) => one.id === id);
  if (!unit) return false;
  try {
    return checkedText({ ...unit, source }, text) === text;
  } catch {
    return false;
  }
}

const anyCards = fc
  .tuple(fc.array(anyText, { minLength: 2, maxLength: 6 }), anyWords)
  .map(([texts, label]) => ({ units: cardUnits([setOf(texts, label)]), label }))
  .chain(({ units, label }) =>
    fc
      .array(fc.tuple(fc.constantFrom('missing', 'stale', 'done'), anyWords, anyText), {
        minLength: units.length,
        maxLength: units.length,
      })
      .map((states) => ({
        units,
        label,
        entries: new Map(
          units.flatMap((unit, at): [string, Entry][] => {
            const [state, words, former] = states[at] ?? ['missing', '', ''];
            if (state === 'missing') return [];
            const source = state === 'done' ? unit.source : former;
            return [[unit.id, { source, text: translated(unit, source, words) }]];
          }),
        ),
      })),
  );

test('XLIFF out, in and out again is the same file to the byte, and no text of it is lost', () => {
  fc.assert(
    fc.property(anyCards, ({ units, label, entries }) => {
      const head: TranslationHead = { whole: 'project', id: 'p1', title: label, from: 'en', to: 'ar' };
      const out = (kept: Entries): Uint8Array =>
        new TextEncoder().encode(writeXliff(head, unitStates(units, kept)));
      const taken = (file: Uint8Array, into: Entries): Entries => {
        const { items } = planImport(readXliff(decodeXliff(file)), head, unitStates(units, into));
        return new Map([...into, ...items.flatMap(({ id, entry }) => (entry ? [[id, entry] as const] : []))]);
      };
      const file = out(entries);
      expect(readXliff(decodeXliff(file)).units.map(({ id }) => id)).toEqual(units.map(({ id }) => id));
      expect(taken(file, entries)).toEqual(entries);
      // Into a project without translations: all come back that may be stored.
      const kept = new Map([...entries].filter(([id, entry]) => isSound(units, id, entry)));
      const again = taken(file, new Map());
      for (const [id, entry] of kept) expect(again.get(id)).toEqual(entry);
      expect(new TextDecoder().decode(out(taken(out(kept), new Map())))).toBe(
        new TextDecoder().decode(out(kept)),
      );
    }),
    { numRuns: 150 },
  );
});
