import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Block, Inline } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { stepsOf } from '../prose/steps.ts';
import { type DocxBook, readDocx } from './read.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)));

/** Each block in a line: its type, what matters of it, and its words. */
function outline(blocks: readonly Block[], depth = 0): string[] {
  const at = '  '.repeat(depth);
  return blocks.flatMap((block): string[] => {
    const words = inlinesOf(block)
      .map((content) => content.map(shown).join(''))
      .join(' | ');
    switch (block.type) {
      case 'heading':
        return [`${at}${'#'.repeat(block.level)} ${words}`];
      case 'list':
        return block.items.flatMap((item) => [`${at}${block.marker}`, ...outline(item.blocks, depth + 1)]);
      case 'callout':
        return [`${at}${block.kind} ${block.title}`, ...outline(block.blocks, depth + 1)];
      case 'figure':
        return [`${at}figure ${block.source} (${block.alt}) ${words}`];
      case 'table':
        return [`${at}table, ${block.headRows} at the head: ${words}`];
      case 'pageBreak':
        return [`${at}break to ${block.to}`];
      case 'live':
        return [`${at}live ${block.show}`];
      default:
        return [`${at}${words}`];
    }
  });
}

const shown = (inline: Inline): string => {
  if (inline.type === 'break') return '/';
  if (inline.type === 'reference') return `§${inline.block}`;
  if (inline.type !== 'text') return '?';
  const marks = inline.marks ?? [];
  const strong = marks.includes('strong') ? '**' : '';
  const emphasis = marks.includes('emphasis') ? '_' : '';
  return `${strong}${emphasis}${inline.text}${emphasis}${strong}`;
};

test('a document of a word processor comes in with its headings, lists, tables, pictures and breaks', async () => {
  const book = await readDocx(fixture('word-like.docx'));
  expect([book.title, book.subtitle, book.language]).toEqual([
    'Tide and Stone',
    'A game for two to four',
    'en-us',
  ]);
  expect(outline(book.blocks)).toEqual([
    '# Set-up',
    'Give each player **five** cards and a _boat_, then **_both_**. Never look.',
    'steps',
    '  Shuffle the deck.',
    'steps',
    '  Deal the hands:',
    '  steps',
    '    two to the left,',
    '  steps',
    '    three to the right.',
    'steps',
    '  Begin.',
    'bullets',
    '  Boats',
    '  bullets',
    '    red ones',
    'bullets',
    '  Stones',
    'The sea lies here:',
    'figure picture-1.png (The sea) ',
    'in the middle.',
    'figure picture-2.png (The land) The land at low tide',
    'figure picture-1.png (The sea again) ',
    'One line/and the next.',
    'break to page',
    'On a new page.',
    '## Scoring',
    'table, 1 at the head:  | Tide | Stones | Points | Low | 1 | 2 |  | 3 | 5 | High | nothing | ',
    '#### Details',
  ]);
  // The same picture twice is one.
  expect(book.pictures.map(({ name, type }) => [name, type])).toEqual([
    ['picture-1.png', 'image/png'],
    ['picture-2.png', 'image/png'],
  ]);
  expect(book.losses).toEqual([
    'Headers and footers are gone: the rulebook has its own.',
    '1 piece of text lost an underline, a strike, a highlight, or being raised or lowered.',
    '2 merged cells are divided: the text is in the first part, the others are empty.',
    '1 heading below level 4 is of level 4.',
  ]);
});

test('footnotes, links, nested lists and equations of another program, and what is said of them', async () => {
  const book = await readDocx(fixture('pandoc.docx'));
  expect(book.title).toBe('The Long Tide');
  expect(outline(book.blocks)).toEqual([
    '# Turns',
    'A turn has _three_ **phases**.[1] See the site (https://example.org/rules) or https://example.org/plain.',
    'note Note 1',
    '  Phases come in this order.',
    'steps',
    '  Tide',
    '  steps',
    '    rises',
    '  steps',
    '    falls',
    'steps',
    '  Stone',
    'bullets',
    '  boats',
    '  bullets',
    '    red',
    '    bullets',
    '      very red',
    'bullets',
    '  more about boats',
    'figure picture-1.png (A cliff) A cliff',
    'table, 1 at the head: Prices of cards | Card | Cost | Wave | 2 | Cliff | **4**',
    'A quotation of the old captain.',
    'Energy is  here.[2]',
    'note Note 2',
    '  Nobody _measures_ it.',
    '  With a second paragraph.',
    'Strong struck H2O',
  ]);
  expect(book.losses).toEqual([
    '1 equation was left out: write it, or insert it as a picture.',
    '1 address of links is in brackets behind their words.',
    '2 footnotes and endnotes are notes below the text that they belong to.',
    '2 pieces of text lost an underline, a strike, a highlight, or being raised or lowered.',
  ]);
});

test('a table of contents is made by the rulebook, and a link to a heading refers to it', async () => {
  const { blocks } = await readDocx(fixture('contents.docx'));
  const [heading] = blocks.filter(({ type }) => type === 'heading');
  expect(outline(blocks)).toEqual([
    'live contents',
    '# One',
    'Text of one.',
    '# Two',
    `See §${heading?.id}.`,
  ]);
});

const main = (parts: Record<string, Uint8Array>): string =>
  new TextDecoder().decode(parts['word/document.xml']);

/** The document of a fixture, with its main part changed. */
function changed(name: string, change: (xml: string) => string, more: Record<string, Uint8Array> = {}) {
  const parts = unzipSync(fixture(name));
  return zipSync({ ...parts, 'word/document.xml': strToU8(change(main(parts))), ...more });
}

const refused = (bytes: Uint8Array): Promise<string> =>
  readDocx(bytes).then(
    () => 'It was read.',
    (error: Error) => `${error.name}: ${error.message}`,
  );

test('a file that is no such document is refused, and said to be what it is', async () => {
  const head = (...bytes: number[]) => new Uint8Array([...bytes, ...new Array(600).fill(0)]);
  const text = (words: string) => new TextEncoder().encode(words);
  const zip = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x')])));
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /empty.*save it as/i],
    [head(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /older kind \(\.doc\).*save it as \.docx/],
    [fixture('encrypted.docx'), /protected by a password.*remove the password/],
    [text('{\\rtf1 hello}'), /RTF/],
    [text('%PDF-1.7'), /PDF/],
    [text('# Rules'), /not a Word document/],
    [fixture('text.odt'), /LibreOffice/],
    [zip('[Content_Types].xml', 'xl/workbook.xml'), /Excel workbook/],
    [zip('[Content_Types].xml', 'ppt/presentation.xml'), /presentation/],
    [zip('Index/Document.iwa'), /Pages/],
    [zip('readme.txt'), /ZIP without a Word document/],
    [zip('[Content_Types].xml', 'word/document.xml'), /cannot be read.*save it again/],
    [fixture('pandoc.docx').subarray(0, 6_000), /damaged/],
  ];
  for (const [bytes, words] of cases) expect(await refused(bytes)).toMatch(words);
});

test('bytes and pictures are counted before anything is unpacked', async () => {
  const bomb = changed('contents.docx', (xml) => xml, { 'word/more.xml': new Uint8Array(50 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(await refused(bomb)).toMatch(/Unpacked, it has 51 MB; the limit is 50 MB/);
  const pictures = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`word/media/${at}.png`, new Uint8Array(1)]));
  expect(await refused(changed('contents.docx', (xml) => xml, pictures(201)))).toMatch(
    /201 pictures; the limit is 200/,
  );
  expect(await refused(changed('contents.docx', (xml) => xml, pictures(200)))).toBe('It was read.');
});

test('a directory that lies about a part is found out', async () => {
  const bytes = changed('contents.docx', (xml) => xml, { 'word/more.xml': new Uint8Array(200_000) });
  const view = new DataView(bytes.buffer);
  // The last entry of the directory is the part that was added.
  let at = bytes.length - 22;
  while (view.getUint32(at, true) !== 0x02014b50) at--;
  view.setUint32(at + 24, 10, true);
  expect(await refused(bytes)).toMatch(/damaged/);
});

/** A cell that goes on with the one above: nobody sees what is in it. */
const CONTINUED = '<w:vMerge/>';
const paragraph = (inside: string): string => `<w:p>${inside}</w:p>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const body = (inside: string) => (xml: string) =>
  xml.replace(/<w:body>[\s\S]*<\/w:body>/, `<w:body>${inside}</w:body>`);

test('what is longer or deeper than a block may be is divided, and its words stay', async () => {
  const long = 'sea '.repeat(12_000).trim();
  const cell = (inside: string, more = '') =>
    `<w:tc><w:tcPr>${more}</w:tcPr>${inside === '' ? '<w:p/>' : inside}</w:tc>`;
  const row = (cells: string) => `<w:tr>${cells}</w:tr>`;
  const wide = row(Array.from({ length: 30 }, (_, at) => cell(paragraph(run(`c${at}`)))).join(''));
  const nested = `<w:tbl>${row(cell(paragraph(run('in'))) + cell(paragraph(run('side'))))}</w:tbl>`;
  const spans = row(cell(paragraph(run('s')), '<w:gridSpan w:val="999999999"/>'));
  const book = await readDocx(
    changed(
      'contents.docx',
      body(
        [
          paragraph(run(long)),
          `<w:tbl>${wide}</w:tbl>`,
          `<w:tbl>${row(cell(nested) + cell(''))}</w:tbl>`,
          `<w:tbl>${spans}</w:tbl>`,
          `<w:tbl>${Array.from({ length: 501 }, () => row(cell(paragraph(run('r'))))).join('')}</w:tbl>`,
          `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${run('Next')}<w:ins w:id="1">${run(' new')}</w:ins><w:del w:id="2">${run(' old')}</w:del></w:p>`,
          paragraph('<w:r><w:unheard/></w:r>'),
        ].join(''),
      ),
    ),
  );
  const text = [...allBlocks(book.blocks)].flatMap((block) => inlinesOf(block).map(plainText));
  expect(
    text.filter((words) => words.includes('sea')).map((words) => words.trim().split(' ').length),
  ).toEqual(expect.arrayContaining([5_000, 5_000, 2_000]));
  expect(text).toContain('c19 · c20 · c21 · c22 · c23 · c24 · c25 · c26 · c27 · c28 · c29');
  expect(text).toContain('in · side');
  expect(text.filter((words) => words === 'r')).toHaveLength(501);
  expect(text).toContain('Next new');
  expect(book.losses.join('\n')).toMatch(
    /more columns.*|inside a cell.*|began a page.*|Tracked changes.*|not known here were left out: w:unheard/,
  );
  for (const words of [/more columns/, /inside a cell/, /began a page/, /Tracked changes/, /w:unheard/]) {
    expect(book.losses.join('\n')).toMatch(words);
  }
});

test('a document that is nested without end is refused in words', async () => {
  const deep = (tag: string, inside: string) =>
    `${`<${tag}>`.repeat(30_000)}${inside}${`</${tag}>`.repeat(30_000)}`;
  for (const xml of [
    paragraph(deep('w:smartTag', run('deep'))),
    deep('w:sdtContent', paragraph(run('deep'))),
  ]) {
    const said = await refused(changed('contents.docx', body(xml)));
    expect(said).toMatch(/^It was read\.$|^RulebookError: /);
  }
});

test('whatever a document holds, it makes a rulebook that can be stored, or is refused in words', async () => {
  const style = (id: string) => `<w:pPr><w:pStyle w:val="${id}"/></w:pPr>`;
  const text = fc.stringMatching(/^[a-z ]{0,12}$/).map(run);
  const numbering = fc
    .tuple(fc.nat(10), fc.nat(3))
    .map(
      ([level, id]) =>
        `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${1000 + id}"/></w:numPr></w:pPr>`,
    );
  const before = fc.oneof(
    fc.constantFrom(
      '',
      style('Heading1'),
      style('Heading6'),
      style('Caption'),
      style('TableCaption'),
      style('Title'),
    ),
    numbering,
  );
  const inside = fc.oneof(
    text,
    fc.constantFrom(
      '<w:r><w:br w:type="page"/></w:r>',
      '<w:r><w:br/></w:r>',
      '<w:r><w:tab/></w:r>',
      '<w:r><w:footnoteReference w:id="31"/></w:r>',
      '<w:r><w:footnoteReference w:id="7777"/></w:r>',
      '<w:hyperlink w:anchor="one"><w:r><w:t>One</w:t></w:r></w:hyperlink>',
      '<w:hyperlink w:anchor="one"/>',
    ),
  );
  const words = fc
    .tuple(before, fc.array(inside, { maxLength: 4 }))
    .map(([how, parts]) => paragraph(how + parts.join('')));
  const { blocks } = fc.letrec<{ blocks: string; table: string }>((tie) => ({
    blocks: fc
      .array(fc.oneof({ weight: 4, arbitrary: words }, tie('table')), { maxLength: 8 })
      .map((all) => all.join('')),
    table: fc
      .array(
        fc.array(
          fc.tuple(fc.nat(3), fc.constantFrom('', CONTINUED, '<w:vMerge w:val="restart"/>'), tie('blocks')),
          {
            maxLength: 3,
          },
        ),
        { maxLength: 3 },
      )
      .map(
        (rows) =>
          `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(([span, merge, content]) => `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/>${merge}</w:tcPr>${merge === CONTINUED ? '<w:p/>' : content}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`,
      ),
  }));
  await fc.assert(
    fc.asyncProperty(blocks, async (xml) => {
      const book: DocxBook = await readDocx(changed('pandoc.docx', body(xml)));
      if (book.blocks.length > 0) stepsOf(book.blocks);
      const letters = (given: string) =>
        given
          .replace(/[^a-z]/g, '')
          .split('')
          .sort()
          .join('');
      const said = [...allBlocks(book.blocks)].flatMap((block) => inlinesOf(block).map(plainText)).join('');
      const wanted = [
        ...xml.matchAll(/<w:p>(?!<w:pPr><w:pStyle w:val="Title")(?:(?!<\/w:p>)[\s\S])*<\/w:p>/g),
      ]
        .flatMap(([one]) => [...one.matchAll(/<w:t xml:space="preserve">([^<]*)/g)].map(([, t]) => t))
        .join('');
      // Notes and headings that are referred to add words, and titles may; none is missing.
      for (const letter of new Set(letters(wanted))) {
        const count = (given: string) => given.split(letter).length - 1;
        expect(count(said)).toBeGreaterThanOrEqual(count(wanted));
      }
    }),
    { numRuns: 80 },
  );
});

test('styles of one’s own are headings if they are based on one, or have an outline level', async () => {
  const style = (id: string, inside: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="My ${id}"/>${inside}</w:style>`;
  const styles =
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
    '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>' +
    style('Chapter', '<w:basedOn w:val="H2"/>') +
    style('Part', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') +
    style('Under', '<w:basedOn w:val="Part"/>') +
    style('Plain', '<w:basedOn w:val="Part"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>') +
    `${style('Round', '<w:basedOn w:val="Round"/>')}</w:styles>`;
  const said = ['Chapter', 'Part', 'Under', 'Plain', 'Round'].map((id) =>
    paragraph(`<w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(id)}`),
  );
  const bytes = changed('contents.docx', body(said.join('')), { 'word/styles.xml': strToU8(styles) });
  expect(outline((await readDocx(bytes)).blocks)).toEqual([
    '## Chapter',
    '# Part',
    '# Under',
    'Plain',
    'Round',
  ]);
});

test('it is said of hidden text that it is not hidden, and a text box counts once', async () => {
  const box = `<w:txbxContent>${paragraph(run('boxed'))}</w:txbxContent>`;
  const inside =
    paragraph(`<w:r><w:rPr><w:b/><w:vanish/></w:rPr><w:t>secret</w:t></w:r>${run('open')}`) +
    paragraph(
      `<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${box}</mc:Choice>` +
        `<mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>`,
    );
  const { losses } = await readDocx(changed('contents.docx', body(inside)));
  expect(losses).toContain('1 piece of hidden text is not hidden any more: delete it if nobody may read it.');
  expect(losses).toContain('The text of 1 text box is among the paragraphs.');
});
