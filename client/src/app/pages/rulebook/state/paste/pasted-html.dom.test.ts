// @vitest-environment happy-dom
import { DOMParser as ProseParser } from 'prosemirror-model';
import { expect, test } from 'vitest';
import { LIMITS } from '../../../../../core/book/document/limits.ts';
import type { Block, Inline } from '../../../../../core/book/document/schema.ts';
import { blocksOfProse } from '../../../../../core/book/prose/convert.ts';
import { proseSchema } from '../../../../../core/book/prose/schema.ts';
import { checkDoc } from '../../../../../core/book/prose/steps.ts';
import { pastedHtml } from './pasted-html.ts';

/** The blocks that a paste of HTML brings. */
function pasted(html: string): readonly Block[] {
  const body = document.createElement('div');
  body.innerHTML = pastedHtml(html);
  const doc = ProseParser.fromSchema(proseSchema).parse(body);
  checkDoc(doc);
  return blocksOfProse(doc);
}

/** Words with `*` around what is strong and `_` around emphasis, `/` for the end of a line. */
const words = (content: readonly Inline[]): string =>
  content
    .map((one) => {
      if (one.type === 'break') return '/';
      if (one.type !== 'text') return '?';
      const slanted = one.marks?.includes('emphasis') ? `_${one.text}_` : one.text;
      return one.marks?.includes('strong') ? `*${slanted}*` : slanted;
    })
    .join('');

/** Blocks in short. */
function short(block: Block): unknown {
  if (block.type === 'list') return [block.marker, ...block.items.map(({ blocks }) => blocks.map(short))];
  if (block.type === 'table') return { head: block.headRows, rows: block.rows.map((row) => row.map(words)) };
  return 'content' in block ? words(block.content) : block.type;
}
const inShort = (html: string): unknown => pasted(html).map(short);

test('text of Google Docs is as strong as it was there', () => {
  const html =
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1">' +
    '<h2><span style="font-weight:700">Sail</span></h2>' +
    '<p><span style="font-weight:400">Take </span><span style="font-weight:700">two </span>' +
    '<span style="font-weight:700;font-style:italic">dry</span><span style="font-style:italic"> crates</span></p></b>';
  expect(inShort(html)).toEqual(['Sail', 'Take *two **_dry_*_ crates_']);
});

test('a table stays a table, in this document and around it', () => {
  const html =
    '<p>Before</p><table><colgroup><col></colgroup><thead><tr><th><p><b>Players</b></p></th><th>Crates</th></tr></thead>' +
    '<tbody><tr><td><p>Two</p><ul><li>or one</li></ul></td><td>12<br>or more</td></tr>' +
    '<tr><td colspan="2"> <p>Else</p> </td></tr></tbody></table><p>After</p>';
  expect(inShort(html)).toEqual([
    'Before',
    {
      head: 1,
      rows: [
        ['Players', 'Crates'],
        ['Two/or one', '12/or more'],
        ['Else', ''],
      ],
    },
    'After',
  ]);
});

test('a first row of bold words alone is the head of its table', () => {
  const bold = (text: string) =>
    `<td><p><span style="font-size:11pt;font-weight:700;">${text}</span></p></td>`;
  const plain = (text: string) => `<td><p><span style="font-weight:400">${text}</span></p></td>`;
  const table = (...rows: string[]) => `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`;
  expect(inShort(table(bold('A') + bold('B'), plain('1') + bold('2')))).toEqual([
    {
      head: 1,
      rows: [
        ['A', 'B'],
        ['1', '*2*'],
      ],
    },
  ]);
  // Its clipboard is in such an element as a whole.
  const all = '<b style="font-weight:normal">';
  expect(inShort(`${all}${table(plain('A') + plain('B'), plain('1') + plain('2'))}</b>`)).toEqual([
    {
      head: 0,
      rows: [
        ['A', 'B'],
        ['1', '2'],
      ],
    },
  ]);
});

test('wide and high cells leave the others in their columns', () => {
  const html =
    '<table><tr><td rowspan="2">a</td><td>b</td><td>c</td></tr><tr><td colspan="2">d</td></tr><tr><td>e</td></tr></table>';
  expect(inShort(html)).toEqual([
    {
      head: 0,
      rows: [
        ['a', 'b', 'c'],
        ['', 'd', ''],
        ['e', '', ''],
      ],
    },
  ]);
});

test('a table of one cell is the text in it', () => {
  expect(inShort('<table><tr><td><p>One</p><p>Two</p></td></tr></table>')).toEqual(['One', 'Two']);
});

test('a table that is too long or too wide loses no words', () => {
  const row = (cells: number) =>
    `<tr>${Array.from({ length: cells }, (_, x) => `<td>w${x}</td>`).join('')}</tr>`;
  const [wide] = pasted(`<table>${row(LIMITS.cells + 2)}</table>`);
  const cells = wide?.type === 'table' ? (wide.rows[0] ?? []).map(words) : [];
  expect(cells).toHaveLength(LIMITS.cells);
  expect(cells.at(-1)).toBe(`w${LIMITS.cells - 1} w${LIMITS.cells} w${LIMITS.cells + 1}`);
  const long = pasted(`<table>${row(1).repeat(LIMITS.rows + 1)}</table>`);
  expect(long.map((block) => block.type === 'table' && block.rows.length)).toEqual([LIMITS.rows, 1]);
});

/** A paragraph as Word writes an item of a list. */
const wordItem = (list: string, sign: string, text: string) =>
  `<p class="MsoListParagraph" style="text-indent:-18pt;mso-list:${list} lfo1"><![if !supportLists]>` +
  `<span style="font-family:Symbol"><span style="mso-list:Ignore">${sign}<span>&nbsp; </span></span></span><![endif]>${text}</p>`;

test('items of Word that leave out a level stand one list apart', () => {
  const levels = [1, 3, 3, 4, 2, 1].map((level, at) => wordItem(`l0 level${level}`, '·', `${at}`));
  expect(inShort(levels.join(''))).toEqual([
    ['bullets', ['0', ['bullets', ['1'], ['2', ['bullets', ['3']]]], ['bullets', ['4']]], ['5']],
  ]);
});

test('paragraphs that Word numbers are lists', () => {
  const item = wordItem;
  const html =
    `<p class="MsoNormal" style="mso-list:none">Take</p>${item('l0 level1', '·', 'a <b>ship</b>')}` +
    `${item('l0 level2', 'o', 'its sail')}${item('l0 level1', '·', 'a crate')}` +
    `${item('l1 level1', '1.', 'load')}${item('l1 level1', '2.', 'sail')}<p>Done</p>${item('l1 level1', 'a)', 'rest')}`;
  expect(inShort(html)).toEqual([
    'Take',
    ['bullets', ['a *ship*', ['bullets', ['its sail']]], ['a crate']],
    ['steps', ['load'], ['sail']],
    'Done',
    ['steps', ['rest']],
  ]);
});

test('the address of a link stands behind its words, unless they are the address', () => {
  const html =
    '<p>See <a href="https://example.com/rules"><b>the rules</b></a>, <a href="https://example.com/">example.com</a>, ' +
    '<a href="mailto:ann@example.com">Ann</a> and <a href="#note">a note</a>.</p>';
  expect(inShort(html)).toEqual([
    'See *the rules* (https://example.com/rules), example.com, Ann (ann@example.com) and a note.',
  ]);
});

test('what was copied in a rulebook stays as it is', () => {
  const html = '<p data-pm-slice="1 1 []">Own<table><tr><td>x</td></tr></table></p>';
  expect(pastedHtml(html)).toBe(html);
});
