import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Variable } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../../testing/starforged.ts';
import { planImport } from '../import.ts';
import { rawText } from '../pieces.ts';
import { type Entries, type Entry, stateCounts, unitStates } from '../translation.ts';
import { readXliff } from '../xliff-read.ts';
import { type TranslationHead, writeXliff } from '../xliff-write.ts';
import { type CardSet, cardUnits, translatedColumns } from './card-units.ts';
import { markupPieces } from './markup-pieces.ts';
import { cellId, isCardUnit, renamedUnit, zoneId } from './unit-ids.ts';

const VARIABLES: readonly Variable[] = [
  { kind: 'icon', name: 'Force', source: 'force.png', size: 1, offset: 0, anywhere: true },
  { kind: 'icon', name: 'credit', source: 'credit.png', size: 1, offset: 0, token: '[c]' },
  { kind: 'style', name: 'Loud', style: { weight: 700 } },
];
const CONTEXT = { variables: VARIABLES, columns: [{ key: 'cost', name: 'Cost' }], cells: {} };
const tokens = (text: string): string[] =>
  markupPieces(text, CONTEXT).flatMap((piece) => ('token' in piece ? [piece.token] : []));

test('formulas, names, icons, styles, emphasis and links are placeholders, and nothing else is', () => {
  expect(tokens('Pay {Cost} for {nobody}, {{Cost * 2}} {Icons/a.png, 0.9}')).toEqual([
    '{Cost}',
    '{nobody}',
    '{{Cost * 2}}',
    '{Icons/a.png, 0.9}',
  ]);
  expect(tokens('{Loud: pay {cost}} Force [c] of Forces<br>')).toEqual([
    '{Loud: ',
    '{cost}',
    '}',
    'Force',
    '[c]',
    '<br>',
  ]);
  expect(tokens('**Draw** *two* _now_ snake_case [here](https://a.test)')).toEqual([
    ...['**', '**', '*', '*', '_', '_'],
    '[',
    '](https://a.test)',
  ]);
  expect(tokens('5 * 3 \\*no\\* {a: b c} < 5 [x] {')).toEqual([]);
});

const anyMarkup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '*',
        '**',
        '_',
        '{',
        '}',
        '{Cost}',
        '{Loud:',
        '{{',
        '}}',
        '[',
        '](a)',
        '\\',
        '\n',
        '<br>',
      ),
      fc.constantFrom('Force', '[c]', ' ', 'Draw two', ' / ', 'é', '<p>', '- '),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

test('the pieces of any text are the text again, and its pairs stand inside each other', () => {
  fc.assert(
    fc.property(anyMarkup, (text) => {
      const pieces = markupPieces(text, CONTEXT);
      expect(rawText(pieces)).toBe(text);
      const open: string[] = [];
      for (const piece of pieces) {
        if (piece.kind === 'open') open.push(piece.end ?? '');
        if (piece.kind === 'close') expect(piece.token).toBe(open.pop());
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('ids of units hold whatever ids and keys there are, and tell them apart', () => {
  const anyKey = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
  const parts = fc.tuple(anyKey, anyKey, anyKey);
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(isCardUnit(cellId(...a))).toBe(true);
      expect(cellId(...a) === cellId(...b)).toBe(a.join('\0') === b.join('\0') && String(a) === String(b));
      const [layout, other, zone] = a;
      expect(renamedUnit(zoneId(layout, zone), (key) => (key === layout ? other : null))).toBe(
        zoneId(other, zone),
      );
      expect(renamedUnit(zoneId(layout, zone), () => null)).toBeUndefined();
      expect(renamedUnit(cellId(...a), () => null)).toBe(cellId(...a));
    }),
  );
});

/** The 87 assets of Starforged, with a word of the layout's own. */
function assets(): CardSet {
  const layout = starforgedLayout();
  const own = {
    ...newZone('text', 'own', 'Own words', { x: 0, y: 0, w: 20, h: 5 }),
    text: 'Asset of {name}',
  };
  return {
    id: 'assets',
    name: 'Assets',
    columns: STARFORGED_COLUMNS.map((column) => ({ ...column, type: 'text' })),
    cards: starforgedRows().map(({ cells }, at) => ({ id: `k${at}`, cells })),
    layouts: [{ id: 'front', name: 'Front', layout: { ...layout, zones: [...layout.zones, own] } }],
  };
}

const shout = (text: string): string =>
  rawText(
    markupPieces(text, { variables: [], columns: [], cells: {} }).map((piece) =>
      piece.kind === 'words'
        ? { ...piece, text: piece.text.replace(/\p{L}+/gu, (word) => `${word}ä`) }
        : piece,
    ),
  );
const SET = assets();
const UNITS = cardUnits([SET]);
const ALL: Entries = new Map(UNITS.map(({ id, source }) => [id, { source, text: shout(source) }]));

test('the columns that texts show are translated, and others where one says so', () => {
  const keys = (set: CardSet) => translatedColumns(set).map(({ key }) => key);
  expect(keys(SET)).toEqual(
    ['name', 'category', 'requirement', 'ability1', 'ability2', 'ability3'].filter((key) =>
      keys(SET).includes(key),
    ),
  );
  expect(keys(SET)).toContain('name');
  expect(keys(SET)).not.toContain('id');
  expect(keys(SET)).not.toContain('color');
  const say = (key: string, translate: boolean): CardSet => ({
    ...SET,
    columns: SET.columns.map((column) => (column.key === key ? { ...column, translate } : column)),
  });
  expect(keys(say('name', false))).not.toContain('name');
  expect(keys(say('id', true))).toContain('id');
});

test('a layout without texts, and cells without words, have nothing to translate', () => {
  const bare: CardSet = { ...SET, layouts: [{ id: 'x', name: 'X', layout: newLayout('X') }] };
  expect(cardUnits([bare])).toEqual([]);
  const numbers = { ...SET, cards: [{ id: 'a', cells: { name: '3', ability1: '{Force}' } }] };
  expect(cardUnits([numbers]).map(({ id }) => id)).toEqual([zoneId('front', 'own')]);
});

test('one changed cell makes exactly one text stale, and one changed zone another', () => {
  expect(stateCounts(unitStates(UNITS, ALL))).toEqual({ missing: 0, stale: 0, done: UNITS.length });
  const cells = UNITS.filter(({ id }) => id.startsWith('c.'));
  fc.assert(
    fc.property(fc.nat(), (at) => {
      const wanted = cells[at % cells.length];
      const card = SET.cards.find(({ id }) => wanted?.place === `c.assets.${id}`);
      const key =
        SET.columns.find((column) => cellId('assets', card?.id ?? '', column.key) === wanted?.id)?.key ?? '';
      const cards = SET.cards.map((one) =>
        one === card ? { ...one, cells: { ...one.cells, [key]: `${one.cells[key]} Then stop.` } } : one,
      );
      const stale = unitStates(cardUnits([{ ...SET, cards }]), ALL).filter(({ state }) => state !== 'done');
      expect(stale.map(({ unit, state, was }) => [unit.id, state, was])).toEqual([
        [wanted?.id, 'stale', wanted?.source],
      ]);
    }),
    { numRuns: 30 },
  );
});

test('a translation without a placeholder of its source is not printed, and says which and where', () => {
  const [unit] = UNITS.filter(({ source }) => source === 'Asset of {name}');
  if (!unit) throw new Error('The zone has no unit.');
  const state = (text: string) => unitStates([unit], new Map([[unit.id, { source: unit.source, text }]]))[0];
  expect(state('Gut von {name}')?.fault).toBeUndefined();
  expect(state('Gut')?.fault).toBe('The placeholder {name} of the source beside “Asset of” is missing.');
  expect(state('Gut {name} {name}')?.fault).toContain('{name} beside “Gut”');
});

const HEAD: TranslationHead = { whole: 'project', id: 'p1', title: 'Assets & more', from: 'en', to: 'de' };

test('XLIFF that nobody changed changes nothing, and makes the same translation where there is none', () => {
  const anyStates = fc.array(fc.constantFrom('missing', 'stale', 'done'), {
    minLength: UNITS.length,
    maxLength: UNITS.length,
  });
  fc.assert(
    fc.property(anyStates, anyMarkup, (states, odd) => {
      const cards = [{ id: 'odd', cells: { name: `Odd ${odd}` } }, ...SET.cards];
      const units = cardUnits([{ ...SET, cards }]);
      const entries = new Map(
        units.flatMap(({ id, source, form }, at): [string, Entry][] => {
          const state = states[at] ?? 'done';
          if (state === 'missing') return [];
          const was = state === 'stale' ? `Formerly ${source}` : source;
          const text = rawText(
            form
              .pieces(source)
              .map((piece) =>
                piece.kind === 'words' ? { ...piece, text: piece.text.replace(/[a-y]/g, 'z') } : piece,
              ),
          );
          return [[id, { source: was, text }]];
        }),
      );
      const now = unitStates(units, entries);
      const file = writeXliff(HEAD, now);
      expect(planImport(readXliff(file), HEAD, now).items).toEqual([]);
      const { items } = planImport(readXliff(file), HEAD, unitStates(units, new Map()));
      const kept = now.filter(({ fault, text }) => fault === undefined && text !== undefined);
      const taken = new Map(items.flatMap(({ id, entry }) => (entry ? [[id, entry] as const] : [])));
      for (const { unit } of kept) expect(taken.get(unit.id)).toEqual(entries.get(unit.id));
    }),
    { numRuns: 5 },
  );
});

test('a file of another project is refused', () => {
  const file = writeXliff(HEAD, unitStates(UNITS, ALL));
  expect(() => planImport(readXliff(file), { ...HEAD, id: 'p2' }, [])).toThrow(
    'The file is a translation of another project “Assets & more”: open it there.',
  );
  expect(() => planImport(readXliff(file), { ...HEAD, to: 'fr' }, [])).toThrow('into de, not fr');
});
