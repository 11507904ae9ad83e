import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../archive/bundle.ts';
import { cellId } from '../../translation/cards/unit-ids.ts';
import { termId } from '../../translation/terms.ts';
import type { StoredChange } from '../stored-change.ts';
import type { BranchChange } from './change.ts';
import { branchChanges } from './changes.ts';

const column = (key: string, name: string, type = 'text', more: JsonObject = {}): JsonObject => ({
  ...{ key, name, type },
  ...more,
});
const NAME = column('name', 'Name');
const COST = column('cost', 'Cost', 'number');
const component = (name: string, columns: JsonObject[], more: JsonObject = {}): JsonObject => ({
  ...{ name, kind: 'cards', layoutId: null, columns, order: 0, cardCount: 1 },
  ...more,
});
const EVENTS = component('Events', [NAME, COST]);
const at = (path: string, before: JsonObject | null, after: JsonObject | null): StoredChange => ({
  ...{ path, before, after },
});
const of = (before: JsonObject | null, after: JsonObject | null) => at('components/c', before, after);
const card = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ order: 1, copies: 1, cells: { name, ...more } },
});
const told = ({ name, what, base, theirs, mine, conflict }: BranchChange) =>
  [name, what, base, theirs, mine, conflict] as const;
/** Changes, where the project has what `mine` says, or else what the version had. */
function changes(theirs: StoredChange[], mine: StoredChange[] = [], had: JsonObject | null = EVENTS) {
  const today = mine.find(({ path }) => path === 'components/c');
  const now = today ? today.after : had;
  return branchChanges(theirs, mine, {
    components: new Map(now ? [['c', now]] : []),
    layouts: new Map([['l', 'Front']]),
  });
}

describe('components', () => {
  test('columns and settings come one by one, and conflicts show both sides', () => {
    const renamed = component('Encounters', [NAME, column('cost', 'Price', 'number')], {
      layoutId: 'l',
      cardCount: 4,
    });
    expect(changes([of(EVENTS, renamed)]).changes.map(told)).toEqual([
      ['Events', 'Name', 'Events', 'Encounters', 'Events', false],
      ['Events', 'Layout', '', 'Front', '', false],
      ['Cost', 'Column', 'Cost · number', 'Price · number', 'Cost · number', false],
    ]);
    const mine = component('Events', [NAME, column('cost', 'Fee', 'number')], { kind: 'tiles' });
    expect(changes([of(EVENTS, renamed)], [of(EVENTS, mine)]).changes.map(told)[2]).toEqual([
      ...['Fee', 'Column', 'Cost · number', 'Price · number', 'Fee · number', true],
    ]);
    expect(changes([of(EVENTS, renamed)], [of(EVENTS, renamed)]).changes).toEqual([]);
    const gone = changes([of(EVENTS, component('Events', [NAME]))]).changes;
    expect(gone.map(told)).toEqual([
      ['Cost', 'Deleted column', 'Cost · number', undefined, 'Cost · number', false],
    ]);
  });

  test('widths are nobody’s change, and another order of columns stays and is said', () => {
    const wide = component('Events', [column('name', 'Name', 'text', { width: 90 }), COST], { order: 7 });
    expect(changes([of(EVENTS, wide)])).toEqual({ changes: [], left: [] });
    expect(changes([of(EVENTS, component('Events', [COST, NAME]))])).toEqual({
      ...{ changes: [], left: ['The order of the columns of Events.'] },
    });
  });

  test('cells of a new column need the column, and cards of a new component need it and its layout', () => {
    const mood = component('Events', [NAME, column('mood', 'Mood'), COST]);
    const ash = at('components/c/cards/a', card('Ash'), card('Ash', { mood: 'dark' }));
    const { changes: all, left } = changes([of(EVENTS, mood), ash]);
    expect(left).toEqual([]);
    expect(all).toMatchObject([
      { what: 'New column', act: { kind: 'column', column: 'mood', behind: ['name'] } },
      { what: 'Mood', theirs: 'dark', needs: [all[0]?.key] },
    ]);
    const fresh = component('Omens', [NAME], { layoutId: 'new' });
    const found = changes(
      [
        of(null, fresh),
        at('components/c/cards/a', null, card('Ash')),
        at('layouts/new', null, { name: 'Omen', scene: {} }),
      ],
      [],
      null,
    );
    const [whole, one] = found.changes;
    expect(whole).toMatchObject({ name: 'Omens', what: 'New component', needs: ['layout new'] });
    expect(whole?.act).toMatchObject({ kind: 'newComponent', value: { layoutId: 'new' } });
    expect(one).toMatchObject({ group: 'Omens', name: 'Ash', what: 'New card', needs: [whole?.key] });
  });

  test('a deleted component takes its cards along, and is a conflict if the project changed one', () => {
    const [ash, oak] = [card('Ash'), card('Oak')];
    const deleted = [of(EVENTS, null), at('components/c/cards/a', ash, null)];
    expect(changes(deleted).changes).toMatchObject([
      {
        ...{ what: 'Deleted component', base: '1 card', theirs: undefined, mine: '1 card', conflict: false },
        act: { kind: 'removeComponent', cards: { a: ash } },
      },
    ]);
    const mine = [at('components/c/cards/a', ash, oak), at('components/c/cards/b', null, ash)];
    expect(changes(deleted, mine).changes).toMatchObject([
      {
        ...{ conflict: true, mine: '2 cards', act: { cards: { a: oak, b: ash } } },
        parts: [{ what: 'Cards', after: '2 new or changed, 0 deleted' }],
      },
    ]);
    expect(changes(deleted, [of(EVENTS, null), at('components/c/cards/a', ash, null)]).changes).toEqual([]);
    const changed = [of(EVENTS, component('Omens', [NAME])), at('components/c/cards/a', ash, oak)];
    expect(changes(changed, [of(EVENTS, null), at('components/c/cards/a', ash, null)])).toEqual({
      changes: [],
      left: [
        'Columns and settings of Events, which the project deleted.',
        'Cards of Omens, which the project deleted.',
      ].map((words) => words.replace('of Events,', 'of Omens,')),
    });
  });
});

test('what the project says of itself comes back but for its name, and usual values are no change', () => {
  const own = (more: JsonObject): JsonObject => ({ name: 'Tides', ...more });
  const copy = own({ name: 'Tides copy', description: '', tags: [], cover: 'colour', coverColor: '#a8361c' });
  expect(changes([at('', own({}), copy)])).toEqual({ changes: [], left: [] });
  const told1 = changes(
    [at('', own({ tags: ['solo'] }), own({ tags: ['solo', 'co-op'], description: 'Sail.' }))],
    [at('', own({ tags: ['solo'] }), own({ tags: ['solo'], description: 'Row.' }))],
  );
  expect(told1.changes.map(told)).toEqual([
    ['Project', 'Description', '', 'Sail.', 'Row.', true],
    ['Project', 'Tags', 'solo', 'solo, co-op', 'solo', false],
  ]);
});

test('print settings come back by their ids; branches of before have others of the same names', () => {
  const preset = (paper: string): JsonObject => ({
    name: 'Home',
    settings: { paper, bleedMm: 3 },
    updatedAt: 5,
  });
  const path = 'printPresets/s';
  expect(changes([at(path, preset('a4'), { ...preset('a4'), updatedAt: 9 })]).changes).toEqual([]);
  expect(changes([at(path, preset('a4'), preset('letter'))]).changes).toMatchObject([
    { name: 'Home', what: 'Print settings', theirs: 'paper', conflict: false },
  ]);
  expect(changes([at(path, preset('a4'), null)]).changes).toMatchObject([
    { what: 'Deleted print settings', act: { kind: 'preset', value: null } },
  ]);
  const old = [at(path, preset('a4'), null), at('printPresets/t', null, preset('a4'))];
  expect(changes(old)).toMatchObject({ changes: [{ what: 'New print settings' }], left: [/Home/] });
});

describe('translations', () => {
  const [ash, oak, tide] = [cellId('c', 'a', 'name'), cellId('c', 'b', 'name'), termId('tide')];
  const part = (units: Record<string, string>, source = 'Ash'): JsonObject => ({
    units: Object.fromEntries(Object.entries(units).map(([id, text]) => [id, { source, text }])),
  });
  const begun: JsonObject = { by: 'ann', at: 5 };
  const again = at('languages/de', begun, { by: 'ann', at: 9 });
  const lies = (before: JsonObject | null, after: JsonObject | null, no = '0') =>
    at(`languages/de/parts/${no}`, before, after);

  test('texts and terms come one by one, wherever they lie, and conflicts show both sides', () => {
    const base = part({ [ash]: 'Esche', [oak]: 'Eiche' });
    const theirs = [
      ...[again, lies(base, part({ [oak]: 'Eiche!' }))],
      lies(null, part({ [ash]: 'Esche', [tide]: 'Flut' }), '1'),
    ];
    const mine = [lies(base, part({ [ash]: 'Esche', [oak]: 'Eichbaum' }))];
    const found = changes(theirs, mine).changes;
    expect(found.map(told).sort()).toEqual([
      ['Ash', 'Term', undefined, 'Flut', undefined, false],
      ['Ash', 'Translation', 'Eiche', 'Eiche!', 'Eichbaum', true],
    ]);
    const confirmed = changes([again, lies(base, part({ [ash]: 'Esche', [oak]: 'Eiche' }, 'Ashes'))]).changes;
    expect(confirmed.map(({ what }) => what)).toEqual(Array(2).fill('Translation of the text as it is now'));
  });

  test('a new language is needed by its texts, and a deleted one goes whole', () => {
    const fresh = changes([at('languages/de', null, begun), lies(null, part({ [ash]: 'Esche' }))]).changes;
    expect(fresh).toMatchObject([
      { name: 'German', what: 'New language', theirs: '1 text' },
      { what: 'Translation', needs: [fresh[0]?.key] },
    ]);
    const base = part({ [ash]: 'Esche' });
    const gone = [at('languages/de', begun, null), lies(base, null)];
    expect(changes(gone).changes).toMatchObject([
      {
        ...{ what: 'Deleted language', conflict: false },
        act: { kind: 'removeLanguage', was: { [ash]: { source: 'Ash', text: 'Esche' } } },
      },
    ]);
    expect(changes(gone, [lies(base, part({ [ash]: 'Eschen' }))]).changes).toMatchObject([
      { conflict: true, parts: [{ after: '1 text' }] },
    ]);
    expect(changes([again, lies(base, part({ [ash]: 'X' }))], gone).left).toEqual([
      '1 text of Cards in German, a language that the project deleted.',
    ]);
  });
});
