import fc from 'fast-check';
import type { Inline, Mark, Rulebook } from '../book/document/schema.ts';
import { NOTATION } from '../book/translation/forms.ts';
import { joinPieces, type Piece, readNotation, writtenPieces } from '../book/translation/notation.ts';
import { unitsOf } from '../book/translation/units.ts';
import type { Entry } from '../translation/translation.ts';
import type { Unit } from '../translation/unit.ts';
import { anyRulebook } from './rulebooks.ts';

/** Random texts of blocks with everything that can stand in one, and random translations, for tests. */

const anyWords = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      'Draw ',
      'a card',
      ' <b>',
      '{energy}',
      '\\',
      '</t>',
      ' < 5 & > 3 ',
      'é\u0301',
      '\n',
      '\r\n',
      '\u0007',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength }),
    // Half of a character, as cutting a text may leave it.
    fc.constantFrom('\ud800', '\udc00x'),
  );
const anyId = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const anyMarks = fc.constantFrom<Mark[][]>(
  [],
  ['strong'],
  ['emphasis'],
  ['strong', 'emphasis'],
  ['emphasis', 'strong'],
);

/** A stretch of text, or what stands in one. */
const anyInline: fc.Arbitrary<Inline> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('text' as const), text: anyWords(12), marks: anyMarks }),
  },
  fc.constant<Inline>({ type: 'break' }),
  fc.record({ type: fc.constantFrom('icon' as const, 'card' as const), name: anyWords(8) }),
  fc.record({ type: fc.constant('value' as const), formula: anyWords(8) }),
  fc.record({
    type: fc.constant('reference' as const),
    block: anyId,
    show: fc.constantFrom('number' as const, 'title' as const, 'page' as const),
  }),
  fc.record({
    type: fc.constant('term' as const),
    definition: anyId,
    text: anyWords(8).map((text) => `x${text}`),
  }),
);
export const anyContent: fc.Arbitrary<Inline[]> = fc.array(anyInline, { minLength: 1, maxLength: 8 });

/** Random rulebooks, some of their texts with everything that can stand in one, and some with parts beside their text. */
export const anyRichRulebook: fc.Arbitrary<Rulebook> = fc
  .tuple(anyRulebook, fc.array(anyContent, { minLength: 1, maxLength: 12 }))
  .map(([book, contents]) => {
    const rich = contents.map((content, at) => ({ type: 'paragraph' as const, id: `rich${at}`, content }));
    return {
      ...book,
      subtitle: 'A game for two',
      blocks: [
        ...book.blocks,
        ...rich,
        { type: 'callout', id: 'box', kind: 'note', title: 'Beware', blocks: [] },
        {
          type: 'figure',
          id: 'figure',
          source: 'board.png',
          alt: 'The board\twith "quotes" & <signs>',
          caption: contents[0] ?? [],
          place: 'column',
          width: 1,
        },
        {
          type: 'definition',
          id: 'word',
          term: 'Energy',
          variants: ['energies', 'energised'],
          forbidden: ['power'],
          content: contents.at(-1) ?? [],
        },
      ],
    };
  });

/** A translation of a unit: other words around the same placeholders. */
export function otherWords({ form, source }: Unit, sign: string): string {
  const changed = (words: string): string => words.replace(/\p{L}/gu, (letter) => `${letter}${sign}`);
  if (form !== NOTATION) return changed(source).slice(0, 200).trim();
  const pieces = writtenPieces(readNotation(source));
  return joinPieces(
    pieces.map((piece): Piece => (piece.kind === 'words' ? { ...piece, text: changed(piece.text) } : piece)),
  );
}

/** A rulebook with random translations, some of a source that is another now. */
export const anyTranslation: fc.Arbitrary<{ book: Rulebook; entries: Map<string, Entry> }> =
  anyRichRulebook.chain((book) => {
    const units = unitsOf(book);
    return fc
      .array(fc.constantFrom('missing' as const, 'stale' as const, 'done' as const), {
        minLength: units.length,
        maxLength: units.length,
      })
      .map((states) => ({
        book,
        entries: new Map(
          units.flatMap((unit, at): [string, Entry][] => {
            if (states[at] === 'missing') return [];
            const source = states[at] === 'done' ? unit.source : `Formerly ${unit.source}`.slice(0, 20_000);
            return [[unit.id, { source, text: otherWords(unit, 'ü') }]];
          }),
        ),
      }));
  });
