import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomDoc } from '../../testing/random-prose.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { RulebookError } from '../document/error.ts';
import { type Block, type Inline, LIVE_SHOWS, type Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { toProse, toRulebook } from '../prose/convert.ts';
import { checkDoc } from '../prose/steps.ts';
import { readMarkdown } from './read.ts';
import { writeMarkdown } from './write.ts';

/** A text as Markdown can say it: without spaces at its ends, spaces of one kind, marks on what is seen alone. */
function seen(content: readonly Inline[]): unknown[] {
  const letters = content.flatMap((inline): unknown[] => {
    if (inline.type !== 'text') return [inline];
    const marks = [...(inline.marks ?? [])].sort().join();
    return [...inline.text].map((letter) => (/\s/.test(letter) ? ' ' : `${letter}${marks && ` ${marks}`}`));
  });
  while (letters[0] === ' ') letters.shift();
  while (letters.at(-1) === ' ') letters.pop();
  return letters;
}

/** Blocks without their ids, which only those that are referred to keep. */
function bare(blocks: readonly Block[]): unknown {
  return JSON.parse(
    JSON.stringify(blocks, (key, value) => {
      if (key === 'id') return undefined;
      if (key === 'content' || key === 'caption') return seen(value);
      if (key === 'rows') return value.map((row: Inline[][]) => row.map(seen));
      if (key === 'term' || key === 'title' || key === 'alt')
        return String(value).replace(/\s+/g, ' ').trim();
      return value;
    }),
  );
}

const again = (doc: Rulebook) => readMarkdown(writeMarkdown(doc));

test('the sample rulebook comes back from Markdown as it was, references included', () => {
  const doc = sampleRulebook();
  const read = again(doc);
  expect(read.title).toBe(doc.title);
  expect(bare(read.blocks)).toEqual(bare(doc.blocks));
  const ids = new Set([...allBlocks(read.blocks)].map(({ id }) => id));
  for (const inline of [...allBlocks(read.blocks)].flatMap((block) => inlinesOf(block).flat())) {
    if (inline.type === 'term') expect(ids).toContain(inline.definition);
    if (inline.type === 'reference') expect(ids).toContain(inline.block);
  }
});

test('whatever can be written in the editor comes back from Markdown', () => {
  fc.assert(
    fc.property(randomDoc(), (prose) => {
      const doc = toRulebook(prose, { title: 'Rules: "new"', subtitle: '---', language: 'de' });
      const read = again(doc);
      expect(read).toMatchObject({ title: doc.title, subtitle: doc.subtitle, language: 'de' });
      expect(bare(read.blocks)).toEqual(bare(doc.blocks));
    }),
    { numRuns: 300 },
  );
});

test('no character of a text means anything by itself, wherever it stands', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'*_`[](){}<>|@\\#-+:=~&!1.2) ab'),
    minLength: 1,
    maxLength: 12,
  });
  const text = fc.record({
    type: fc.constant('text' as const),
    text: letters,
    marks: fc.subarray(['strong' as const, 'emphasis' as const]),
  });
  const inline: fc.Arbitrary<Inline> = fc.oneof(
    { weight: 4, arbitrary: text },
    fc.record({ type: fc.constant('icon' as const), name: letters }),
    fc.record({ type: fc.constant('card' as const), name: letters }),
    fc.record({ type: fc.constant('value' as const), formula: letters }),
    fc.record({ type: fc.constant('term' as const), definition: fc.constant('a'), text: letters }),
  );
  const content = fc.array(inline, { maxLength: 5 });
  fc.assert(
    fc.property(content, content, letters, (words, cell, name) => {
      const blocks: Block[] = [
        { type: 'paragraph', id: 'p', content: words },
        { type: 'heading', id: 'h', level: 2, content: words },
        {
          type: 'list',
          id: 'l',
          marker: 'steps',
          items: [{ id: 'i', blocks: [{ type: 'paragraph', id: 'q', content: words }] }],
        },
        {
          type: 'callout',
          id: 'c',
          kind: 'note',
          title: '',
          blocks: [{ type: 'paragraph', id: 'r', content: words }],
        },
        {
          type: 'table',
          id: 't',
          caption: cell,
          headRows: 1,
          rows: [
            [words, cell],
            [cell, words],
          ],
        },
        { type: 'definition', id: 'd', term: `T${name}`, variants: [name], forbidden: [], content: words },
        {
          type: 'figure',
          id: 'f',
          source: name.trim() || 'x',
          alt: name,
          caption: words,
          place: 'top',
          width: 0.5,
        },
        { type: 'cards', id: 'k', names: [name], caption: words },
        ...LIVE_SHOWS.map((show) => ({ type: 'live' as const, id: `l-${show}`, show })),
      ];
      const doc: Rulebook = { version: 1, title: name, subtitle: name, language: 'en', blocks };
      const read = again(doc);
      expect(read.title).toBe(name);
      expect(bare(read.blocks)).toEqual(bare(blocks));
    }),
    { numRuns: 400 },
  );
});

test('any text at all is read as a rulebook, however many signs begin without an end', () => {
  const piece = fc.constantFrom(
    ...[
      '# ',
      '- ',
      '1. ',
      '> ',
      '| a | b |',
      '|---|---|',
      '\n',
      '\n\n',
      '  ',
      '    ',
      '**',
      '*',
      '_',
      '`',
      '```',
      '[',
      '](',
      ')',
      '{',
      '{{',
      '}}',
    ],
    ...[
      '<!-- columns 2 -->',
      '<!-- end -->',
      '<!-- id "a" -->',
      ': ',
      '![x](y)',
      '\\',
      'word',
      '===',
      '---',
      '@[',
      '<br>',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { blocks } = readMarkdown(pieces.join(''));
      checkDoc(toProse(blocks));
    }),
    { numRuns: 500 },
  );
  for (const sign of ['>', '- ', '*', '[', '<!-- columns 2 -->\n', '|']) readMarkdown(sign.repeat(3_000));
  for (const sign of ['[', '{', '{{', '@[', '<!--', '`', '_a ', '![']) readMarkdown(`x${sign.repeat(4_000)}`);
});

test('Markdown of other programs is read with all its words', () => {
  const { blocks } = readMarkdown(
    [
      'Goal',
      '====',
      'Collect *shells* and __glass__,',
      'snake_case stays; 2 * 3 is 6.  ',
      'See [the site](https://example.org).',
      '',
      '* one',
      '    1. inner',
      '',
      '* two',
      '  goes on',
      '',
      '> ## A head',
      '> | Kind | Worth |',
      '> | :--- | ---: |',
      '> | Shell | 2 |',
      '',
      '> [!WARNING]',
      '> Wet.',
      '',
      '```',
      'a <- b',
      '```',
    ].join('\r\n'),
  );
  expect(blocks.map(({ type }) => type)).toEqual([
    'heading',
    'paragraph',
    'list',
    'callout',
    'callout',
    'paragraph',
  ]);
  const words = [...allBlocks(blocks)].map((block) => inlinesOf(block).map(plainText).join('|'));
  expect(words).toEqual([
    'Goal',
    'Collect shells and glass, snake_case stays; 2 * 3 is 6.\nSee the site (https://example.org).',
    '',
    'one',
    '',
    'inner',
    'two goes on',
    '',
    'A head',
    '|Kind|Worth|Shell|2',
    '',
    'Wet.',
    'a <- b',
  ]);
  expect(blocks[4]).toMatchObject({ kind: 'important' });
});

test('a text that is too long or too much is refused in words', () => {
  expect(() => readMarkdown('x'.repeat(4_000_001))).toThrow(/divide/);
  expect(() => readMarkdown(`a\n${'x'.repeat(60_001)}`)).toThrow(/Line 2/);
  expect(() => readMarkdown('a\n\n'.repeat(20_001))).toThrow(/20000/);
});

test.each([
  ['a comment that is not closed', `<!--${' '.repeat(2_000)}x`],
  ['a heading of spaces', `#${' '.repeat(8_000)}\u2028`],
  ['a field of the head', `---\ntitle:${' '.repeat(8_000)}x\u2028y\n---\n`],
  ['a table without a rule', `a|b\n-${' '.repeat(59_000)}x\n`.repeat(20)],
  ['lines of spaces that break', `a${' '.repeat(59_000)}b  \n`.repeat(20)],
  ['empty lines in an item', `- a${'\n'.repeat(200_000)}  x`],
])('%s is read in time that grows with the text', (_, text) => {
  try {
    readMarkdown(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RulebookError);
  }
});

test('more fences, columns or rows than a rulebook has are refused in words, and at once', () => {
  const refused = (text: string) => expect(() => readMarkdown(text)).toThrow(RulebookError);
  refused('```\n```\n'.repeat(100_000));
  refused('<!-- columns 2 -->\n<!-- end -->\n'.repeat(40_000));
  refused(`|\n|-|\n${'|\n'.repeat(130_000)}`);
});

test('the alignment of columns is read from the line below the head, and written there', () => {
  const source = '| Card | Points | Cost |\n|:---|:-:|--:|\n| Ebb | 2 | 3 |';
  const { blocks } = readMarkdown(source);
  expect(blocks[0]).toMatchObject({ type: 'table', align: ['left', 'center', 'right'] });
  const [left] = readMarkdown(source.replaceAll(':', '')).blocks;
  expect(left).not.toHaveProperty('align');
});
