import fc from 'fast-check';
import {
  type Block,
  CALLOUT_KINDS,
  type Inline,
  RULEBOOK_VERSION,
  type Rulebook,
} from '../book/document/schema.ts';

/** Random rulebooks for tests. Words are numbered after generation, so that each occurs once. */

const WORDS = [
  'Draw',
  'tokens',
  'reconnaissance',
  'a',
  'the',
  'player',
  'simultaneously',
  'Ash',
  'field',
  'of',
];
const words = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most }).map((list) => list.join(' '));
const text = (most: number): fc.Arbitrary<Inline> =>
  fc.record({
    type: fc.constant('text' as const),
    text: words(most),
    marks: fc.constantFrom([], ['strong' as const], ['emphasis' as const]),
  });
const content = (most: number) => fc.array(text(most), { minLength: 1, maxLength: 3 });
const paragraph = fc.record({
  type: fc.constant('paragraph' as const),
  id: fc.constant(''),
  content: content(60),
});

const simple: fc.Arbitrary<Block> = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('heading' as const),
      id: fc.constant(''),
      level: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
      content: content(4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rule' as const),
      id: fc.constant(''),
      depth: fc.constantFrom(1 as const, 2 as const, 3 as const),
      content: content(30),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('definition' as const),
      id: fc.constant(''),
      term: words(2),
      variants: fc.constant<string[]>([]),
      forbidden: fc.constant<string[]>([]),
      content: content(20),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 4 }).chain((columns) =>
      fc.record({
        type: fc.constant('table' as const),
        id: fc.constant(''),
        caption: fc.constant<Inline[]>([]),
        headRows: fc.constantFrom(0, 1),
        // All to the left is left out.
        align: fc.option(
          fc
            .array(fc.constantFrom('left' as const, 'center' as const, 'right' as const), {
              minLength: columns,
              maxLength: columns,
            })
            .filter((list) => list.some((one) => one !== 'left')),
          { nil: undefined },
        ),
        rows: fc.array(fc.array(content(8), { minLength: columns, maxLength: columns }), {
          minLength: 1,
          maxLength: 30,
        }),
      }),
    ),
  },
);
const items = fc.array(
  fc.record({ id: fc.constant(''), blocks: fc.array(paragraph, { minLength: 1, maxLength: 2 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 8, arbitrary: simple },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      id: fc.constant(''),
      marker: fc.constantFrom('bullets' as const, 'steps' as const),
      items,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('callout' as const),
      id: fc.constant(''),
      kind: fc.constantFrom(...CALLOUT_KINDS),
      title: fc.constant(''),
      blocks: fc.array(paragraph, { minLength: 1, maxLength: 4 }),
    }),
  },
);
const topBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 12, arbitrary: block },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('columns' as const),
      id: fc.constant(''),
      count: fc.constantFrom(1 as const, 2 as const, 3 as const),
      blocks: fc.array(block, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('pageBreak' as const),
      id: fc.constant(''),
      to: fc.constantFrom('column' as const, 'page' as const, 'right' as const),
    }),
  },
);

/** Documents without live blocks. */
export const anyRulebook: fc.Arbitrary<Rulebook> = fc
  .array(topBlock, { minLength: 1, maxLength: 14 })
  .map((blocks) =>
    numbered({ version: RULEBOOK_VERSION, title: 'Title', subtitle: '', language: 'en-gb', blocks }),
  );

/** Gives every block an id and every word a number of its own. */
export function numbered(doc: Rulebook): Rulebook {
  let ids = 0;
  let number = 0;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, one]): [string, unknown] => {
      if (key === 'id') return [key, `b${ids++}`];
      if ((key === 'text' || key === 'term') && typeof one === 'string') {
        return [
          key,
          `${one
            .split(' ')
            .map((word) => `${word}${number++}`)
            .join(' ')} `,
        ];
      }
      return [key, visit(one)];
    });
    return Object.fromEntries(entries);
  };
  return { ...doc, blocks: visit(doc.blocks) as Block[] };
}
