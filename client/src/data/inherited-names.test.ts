import { describe, expect, test } from 'vitest';
import { ArchiveError } from '../core/archive/error.ts';
import { fromFiles, toFiles } from '../core/archive/format.ts';
import { evaluate } from '../core/expression/expression.ts';
import { rowScope } from '../core/expression/row-scope.ts';
import { fileName } from '../core/imposition/images/file-names.ts';
import { cardName } from '../core/imposition/job/card-name.ts';
import { layout } from '../core/layout/card.ts';
import { resolve } from '../core/scene/card/resolve.ts';
import { styleOverrides } from '../core/scene/card/style-override.ts';
import { newLayout } from '../core/scene/new-layout.ts';
import { newZone } from '../core/scene/zones.ts';
import { readWorkbookGrid } from '../core/table/workbook-read.ts';
import { assetsFor } from '../core/testing/fonts.ts';
import { meaningOfBraces } from '../core/text/markup/braces.ts';
import {
  type Card,
  type Component,
  cardSchema,
  componentSchema,
  readDocument,
} from './documents/documents.ts';
import { intentsOf, planImport, suggestMapping } from './import/plan.ts';
import { readTableBytes } from './import/read-file.ts';
import { readDelimited } from './import/table.ts';
import { sidesOf } from './layouts/card-layout.ts';
import { toJson as documentToJson } from './project/transfer/json.ts';
import { changeOf } from './table/changes/change.ts';
import { cellText, newCard } from './table/changes/edits.ts';
import { plainTable, toCsv, toJson } from './table/download.ts';
import { computedCards } from './table/formula/formula.ts';
import { toXlsx } from './table/workbook.ts';

/** Whatever every object inherits: `constructor`, `toString`, `__proto__` … */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** Those that the database takes for names of fields, so that older projects may have them as keys. */
const STORABLE = NAMES.filter((name) => !/^__.*__$/.test(name));
const utf8 = (text: string) => new TextEncoder().encode(text);

const componentOf = (key: string, more: Partial<Component> = {}): Component & { id: string } => ({
  ...readDocument(componentSchema, 'components/c', {
    name: 'Heroes',
    kind: 'cards',
    columns: [
      { key: 'name', name: 'Name', type: 'text' },
      { key, name: 'Stat', type: 'text' },
    ],
    order: 0,
  }),
  ...more,
  id: 'c',
});
/** A card whose cell in that column is not there: the column was added later. */
const cardWithout = (): Card & { id: string } => ({
  ...readDocument(cardSchema, 'cards/1', { order: 0, copies: 1, cells: { name: 'Fox' } }),
  id: '1',
});

describe.each(NAMES)('a column named %s', (name) => {
  const title = name.charAt(0).toUpperCase() + name.slice(1);

  test.each([
    ['CSV', async () => utf8(`Name,${title}\nFox,7\n`)],
    ['JSON', async () => utf8(`[{"Name":"Fox",${JSON.stringify(title)}:"7"}]`)],
    ['XLSX', async () => toXlsx({ header: ['Name', title], rows: [['Fox', '7']] })],
  ])('is read from %s under a key that nothing inherits', async (_, bytes) => {
    const read = await readTableBytes(await bytes(), undefined, readWorkbookGrid);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const [, column] = read.table.columns;
    expect(column?.name).toBe(title);
    expect(NAMES).not.toContain(column?.key);
    expect(read.table.rows[0]?.cells[column?.key ?? '']).toBe('7');
  });

  test('is imported into a table, written out and read again', async () => {
    const read = readDelimited(`Name,${title}\nFox,7\n`);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const component = componentOf('other');
    const cards = [cardWithout()];
    const planned = planImport(read.table, suggestMapping(read.table, component, cards), component, cards);
    if ('problems' in planned) throw new Error(JSON.stringify(planned.problems));
    const [first] = intentsOf(planned.plan, component, 0, false, () => 'new');
    const columns = first?.kind === 'component' ? (first.patch.columns ?? []) : [];
    const key = columns.find((column) => column.name === title)?.key ?? '';
    expect(NAMES).not.toContain(key);
    const filled = { ...cardWithout(), cells: { name: 'Fox', [key]: '7' } };
    const table = plainTable({ ...component, columns }, [filled]);
    for (const bytes of [utf8(toCsv(table)), utf8(toJson(table)), toXlsx(table)]) {
      const again = await readTableBytes(bytes, undefined, readWorkbookGrid);
      if ('problems' in again) throw new Error(JSON.stringify(again.problems));
      const at = again.table.columns.find((column) => column.name === title)?.key ?? '';
      expect(again.table.rows[0]?.cells[at]).toBe('7');
    }
  });
});

describe.each(NAMES)('a project that has %s for a key', (key) => {
  test('shows an empty cell where the card has none', () => {
    const component = componentOf(key);
    const card = cardWithout();
    expect(cellText(card, key, component)).toBe('');
    const table = plainTable(component, [card]);
    expect(table.rows[0]?.slice(0, 2)).toEqual(['Fox', '']);
    expect(toCsv(table)).not.toContain('native code');
    expect(toJson(table)).not.toContain('native code');
    expect(changeOf({ kind: 'cell', card: '1', key, text: 'x' }, card, component)).toMatchObject({
      before: '',
      after: 'x',
    });
    expect(newCard({ [key]: 'x' }, 1, component).card.cells[key]).toBe('x');
    const by = { column: key, layouts: { x: 'other' } };
    expect(sidesOf({ ...component, frontBy: by, layoutId: 'own' }, card).front).toBe('own');
    const formula = { key: 'f', name: 'F', type: 'formula' as const, formula: 'Stat & "!"' };
    const [worked] = computedCards([card], componentOf(key, { columns: [...component.columns, formula] }));
    expect(worked?.cells.f).toBe('!');
  });

  test('paints cards, names files and works out formulas', async () => {
    const columns = [{ key, name: 'Stat' }];
    const row = { cells: { name: 'Fox' } };
    expect(evaluate('Stat & "!"', rowScope(row, columns))).toEqual({ ok: true, value: '!' });
    expect(cardName(row, [{ key, name: 'Name' }], 0)).toBeTypeOf('string');
    const context = { component: 'c', columns, row, card: 0, copy: 1, count: 1 };
    expect(fileName('{{Stat}}', context)).not.toContain('native');
    expect(styleOverrides('Zone', row, [{ key, name: 'Zone style' }])).toEqual([]);
    expect(
      styleOverrides('Zone', { cells: { z: `{${key}:1}` } }, [{ key: 'z', name: 'Zone style' }]),
    ).toEqual([[key, '1']]);
    expect(meaningOfBraces(`${key}: text`, { variables: [], columns, cells: {} })).toEqual({
      kind: 'literal',
    });
    const zone = {
      ...newZone('text', 'z', 'Zone', { x: 0, y: 0, w: 40, h: 10 }),
      text: `a {Stat} {${key}: b}`,
      bindings: { text: { mode: 'column' as const, column: key } },
    };
    expect(resolve(zone, row, columns).zone.text).toBe('');
    const document = { ...newLayout('test'), zones: [zone, { ...zone, id: 'y', bindings: {} }] };
    const assets = await assetsFor(document, [row], columns);
    expect(layout(document, row, assets).zones.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['y', 'z']),
    );
  });
});

test.each(STORABLE)('a document with %s is read, and goes through an archive', (key) => {
  const cells = JSON.parse(`{"name":"Fox","${key}":"7"}`);
  const card = readDocument(cardSchema, 'cards/1', { order: 0, copies: 1, cells });
  expect(Object.entries(card.cells)).toEqual([
    ['name', 'Fox'],
    [key, '7'],
  ]);
  expect(Object.getPrototypeOf(card.cells)).toBeNull();
  const component = componentOf(key);
  const { id: _, ...fields } = documentToJson(component);
  const bundle = {
    project: { name: 'P', description: '', tags: [], coverColor: '#a8361c', cover: 'colour' as const },
    notes: '',
    components: [
      {
        id: 'c',
        fields,
        cards: [
          { id: '1', copies: 1, cells: card.cells },
          { id: '2', copies: 1, cells: cardWithout().cells },
        ],
      },
    ],
    layouts: [],
    comments: [],
    presets: [],
    runs: [],
    rulebooks: [],
    images: [],
  };
  expect(documentToJson({ cells: card.cells })).toEqual({ cells: { name: 'Fox', [key]: '7' } });
  const again = fromFiles(toFiles(bundle));
  const texts = again.components[0]?.cards.map((one) => Object.entries(one.cells));
  expect(texts).toEqual([
    [
      ['name', 'Fox'],
      [key, '7'],
    ],
    [
      ['name', 'Fox'],
      [key, ''],
    ],
  ]);
});

test.each(NAMES.filter((name) => !STORABLE.includes(name)))(
  'an archive with the key %s is refused in words',
  (key) => {
    const files = new Map(
      Object.entries({
        'project.json': '{"format":"tuckbox-project","version":1,"name":"P"}',
        'components/01-c/component.json': '{"id":"c","fields":{"name":"C","kind":"cards","columns":[]}}',
        'components/01-c/cards.csv': `#id,#copies,#status,${key}\n1,1,,x\n`,
      }).map(([path, text]) => [path, new Uint8Array(utf8(text))] as const),
    );
    expect(() => fromFiles(files)).toThrow(ArchiveError);
  },
);
