import { describe, expect, test } from 'vitest';
import { layout as layOut } from '../layout/card.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { checkCard, checkTable, type FindingKind, Gathered, type Look } from './preflight.ts';

const COLUMNS = [
  { key: 'name', name: 'Name' },
  { key: 'rules', name: 'Rules' },
  { key: 'lore', name: 'Lore' },
];

/** A layout with a text for each of these columns, and a variable. */
function showing(columns: readonly string[], variable?: string): Layout {
  const layout = newLayout('Shows');
  for (const [i, column] of columns.entries()) {
    const zone = newZone('text', `zone${i}`, column, { x: 5, y: 5, w: 40, h: 10 } as never);
    zone.bindings = { text: { mode: 'column', column } };
    layout.zones.push(zone);
  }
  if (variable) layout.variables.push({ name: variable, value: 'x' } as Layout['variables'][number]);
  return layout;
}
const look = (layout: Layout, cards: readonly number[], side: Look['side'] = 'front'): Look => ({
  layout,
  side,
  cards,
});
const rows = (...texts: string[]) => texts.map((rules) => ({ cells: { name: 'A', rules, lore: '' } }));
const check = (looks: readonly Look[], ...texts: string[]) =>
  checkTable(looks, rows(...texts), COLUMNS, undefined, new Set());

describe('cards of several layouts', () => {
  test('a column that any of them shows, front or back, is used', () => {
    const spell = look(showing(['Name', 'Rules']), [0]);
    expect(check([spell], 'a').map(({ column }) => column)).toEqual(['lore']);
    expect(check([spell, look(showing(['Lore']), [1])], 'a', 'b')).toEqual([]);
    expect(check([spell, look(showing(['lore']), [0], 'back')], 'a')).toEqual([]);
  });

  test('a word in braces is unknown to the layout of its own card, not to another’s', () => {
    const all = ['Name', 'Rules', 'Lore'];
    const looks = [look(showing(all, 'mana'), [0, 2]), look(showing(all), [1])];
    const found = check(looks, '{mana}', '{mana}', 'plain');
    expect(found.map(({ kind, card }) => [kind, card])).toEqual([['unknown-token', 1]]);
  });

  test('a word of running text that an icon stands for is told; a cell of that word alone is not', () => {
    const layout = showing(['Name', 'Rules', 'Lore']);
    layout.variables.push({
      kind: 'icon',
      name: 'credit',
      source: 'c.png',
      size: 1,
      offset: 0,
      anywhere: true,
    });
    const found = check(
      [look(layout, [0, 1, 2, 3])],
      'To his credit, he ran',
      'credit',
      '{credit} 2',
      'credits',
    );
    expect(found.map(({ kind, card, column }) => [kind, card, column])).toEqual([['word-icon', 0, 'rules']]);
    expect(found[0]?.message).toContain('“credit”');
  });

  test('without a layout only the table itself is checked', () => {
    expect(check([], '{mana}')).toEqual([]);
    expect(checkTable([], rows('a', 'b'), COLUMNS, 'name', new Set()).map(({ kind }) => kind)).toEqual([
      'duplicate-id',
    ]);
  });
});

describe('what is wrong on a card is told with the column to mend it in', () => {
  const columns = [
    { key: 'c1', name: 'Title' },
    { key: 'c2', name: 'Art' },
  ];
  const small = { size: () => ({ w: 100, h: 100 }) };
  type Case = readonly [
    kind: FindingKind,
    change: Record<string, unknown>,
    cells: Record<string, string>,
    column: string,
  ];
  const LONG = 'So many words that they can never fit. '.repeat(40);
  const text = { kind: 'text', x: 8, y: 8, w: 40, h: 10 };
  const art = { kind: 'image', x: 5, y: 25, w: 50, h: 50 };
  const title = { text: { mode: 'column', column: 'title' } };
  const source = { source: { mode: 'column', column: 'Art' } };
  test.each<Case>([
    ['overflow', { ...text, bindings: title }, { c1: LONG }, 'c1'],
    ['overflow', { ...text, text: 'By {Title}', bindings: {} }, { c1: LONG }, 'c1'],
    ['missing-image', { ...art, bindings: source }, { c2: 'no-such-missing.png' }, 'c2'],
    ['low-resolution', { ...art, bindings: source }, { c2: 'fox.png' }, 'c2'],
    ['font-fallback', { ...text, bindings: title }, { c1: 'a \u{1F9FF}\u{13000}' }, 'c1'],
    ['outside-safe', { ...text, x: 0.2, bindings: title }, { c1: 'Fox' }, 'c1'],
    // A word that leaves its zone is no longer over it.
    ['outside-safe', { ...text, y: 82, h: 0.4, fit: 'none', bindings: title }, { c1: 'Fox' }, 'c1'],
    [
      'formula',
      { ...text, bindings: { ...title, opacity: { mode: 'formula', formula: 'oops(' } } },
      { c1: 'Fox' },
      'c1',
    ],
  ])('%s', async (kind, { kind: zoneKind, ...change }, cells, column) => {
    const document = newLayout('Checked');
    const zone = newZone(zoneKind as 'text', 'z', 'Zone', { x: 0, y: 0, w: 10, h: 10 } as never);
    document.zones.push({ ...zone, ...change } as typeof zone);
    const row = { cells: { c1: '', c2: '', ...cells } };
    const images = { size: (name: string) => (name.includes('missing') ? undefined : small.size()) };
    const list = layOut(document, row, { ...(await assetsFor(document, [row], columns)), images });
    const found = checkCard(4, { layout: document, list, columns, sizeOf: images.size });
    expect(found.map((one) => [one.kind, one.card, one.column])).toContainEqual([kind, 4, column]);
  });

  test('the smallest text that was shrunk is told with its size, where one asks', async () => {
    const document = newLayout('Checked');
    const zone = newZone('text', 'z', 'Rules', { x: 8, y: 8, w: 40, h: 10 });
    document.zones.push({ ...zone, fit: 'shrink', minSize: 2, bindings: title } as typeof zone);
    const found = async (c1: string, sizes: boolean) => {
      const row = { cells: { c1, c2: '' } };
      const list = layOut(document, row, await assetsFor(document, [row], columns));
      return checkCard(0, { layout: document, list, columns, sizeOf: () => undefined, sizes }).filter(
        ({ kind }) => kind === 'shrunk',
      );
    };
    const words = 'So many words that they must shrink. '.repeat(6);
    expect(await found(words, false)).toEqual([]);
    expect(await found('Fox', true)).toEqual([]);
    const [one, ...more] = await found(words, true);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ zone: 'z', column: 'c1' });
    expect(one?.size).toBeGreaterThanOrEqual(2);
    expect(one?.size).toBeLessThan(zone.style.size);
    expect(one?.message).toMatch(/^Rules: text shrinks to \d\.\d pt\.$/);
  });

  test('a column that is gone is told by its name', async () => {
    const document = showing(['Price']);
    const row = { cells: { c1: 'Fox' } };
    const list = layOut(document, row, await assetsFor(document, [row], columns));
    const [found] = checkCard(0, { layout: document, list, columns, sizeOf: () => undefined });
    expect(found).toMatchObject({ kind: 'missing-column', column: undefined, missing: 'Price' });
    expect(found?.message).toContain('«Price»');
  });

  test('a missing column of one property is named, though another drives the zone', async () => {
    const document = showing(['Title']);
    const zone = document.zones[0];
    if (zone) zone.bindings = { ...zone.bindings, opacity: { mode: 'column', column: ' Fade ' } };
    const row = { cells: { c1: 'Fox' } };
    const list = layOut(document, row, await assetsFor(document, [row], columns));
    const found = checkCard(2, { layout: document, list, columns, sizeOf: () => undefined });
    expect(found).toMatchObject([{ kind: 'missing-column', card: 2, column: 'c1', missing: 'Fade' }]);
  });
});

test('a missing column is told once of the table, all else of each card', () => {
  const gathered = new Gathered();
  const gone = {
    kind: 'missing-column',
    column: undefined,
    missing: 'Cost',
    message: 'Cost is gone',
  } as const;
  const long = { kind: 'overflow', column: 'rules', message: 'Rules: too long' } as const;
  for (const card of [0, 1, 2]) for (const one of [gone, long]) gathered.add({ ...one, card });
  gathered.add({ ...gone, card: 3, message: 'Cost is gone elsewhere' });
  expect(gathered.findings.map(({ kind, card }) => [kind, card])).toEqual([
    ['missing-column', undefined],
    ['overflow', 0],
    ['overflow', 1],
    ['overflow', 2],
    ['missing-column', undefined],
  ]);
});

describe('the column that names the cards', () => {
  const named = (...ids: string[]) => {
    const cards = ids.map((name) => ({ cells: { name, rules: 'r', lore: 'l' } }));
    return checkTable([], cards, COLUMNS, 'name', new Set());
  };

  test('each id that was there before is told with its first card', () => {
    expect(named('fox', 'owl', ' fox ', 'Fox', 'fox')).toEqual([
      { kind: 'duplicate-id', card: 2, column: 'name', message: '“fox” is also the id of card 1.' },
      { kind: 'duplicate-id', card: 4, column: 'name', message: '“fox” is also the id of card 1.' },
    ]);
  });

  test('each card without an id is told, and they are not each other’s doubles', () => {
    expect(named('fox', '', ' ')).toEqual([
      { kind: 'duplicate-id', card: 1, column: 'name', message: 'This card has no id.' },
      { kind: 'duplicate-id', card: 2, column: 'name', message: 'This card has no id.' },
    ]);
  });

  test('it needs no place on the cards, and without it ids are nobody’s concern', () => {
    const shows = [look(showing(['Rules', 'Lore']), [0, 1])];
    const cards = rows('a', 'b');
    expect(checkTable(shows, cards.slice(0, 1), COLUMNS, 'name', new Set())).toEqual([]);
    expect(checkTable([], cards, COLUMNS, undefined, new Set())).toEqual([]);
  });
});

test('a column that is on no card is told of the table as a whole, unless it is for the table alone', () => {
  const shows = [look(showing(['Name', 'Rules']), [0])];
  const found = checkTable(shows, rows('a'), COLUMNS, undefined, new Set());
  expect(found).toMatchObject([{ kind: 'unused-column', card: undefined, column: 'lore' }]);
  expect(found[0]?.message).toContain('“Lore”');
  expect(checkTable(shows, rows('a'), COLUMNS, undefined, new Set(['lore']))).toEqual([]);
});
