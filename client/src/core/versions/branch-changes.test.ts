import { expect, test } from 'vitest';
import type { JsonObject } from '../archive/bundle.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { type BranchChange, branchChanges } from './branch-changes.ts';
import type { StoredChange } from './stored-change.ts';

const components = new Map<string, JsonObject>([
  [
    'c',
    {
      name: 'Events',
      columns: [
        { key: 'name', name: 'Name', type: 'text' },
        { key: 'cost', name: 'Cost', type: 'number' },
        { key: 'twice', name: 'Twice', type: 'formula' },
      ],
    },
  ],
]);
const card = (name: string, cost: string, more: JsonObject = {}): JsonObject => ({
  ...{ order: 1, copies: 1, cells: { name, cost, twice: cost } },
  ...more,
});
const of = (id: string, before: JsonObject | null, after: JsonObject | null): StoredChange => ({
  ...{ path: `components/c/cards/${id}`, before, after },
});
const told = ({ name, what, base, theirs, mine, conflict }: BranchChange) =>
  [name, what, base, theirs, mine, conflict] as const;
const changes = (theirs: StoredChange[], mine: StoredChange[] = []) =>
  branchChanges(theirs, mine, { components });

test('cells that the branch changed are offered one by one; those that the project changed otherwise are conflicts', () => {
  const theirs = [of('a', card('Ash', '1'), card('Oak', '2', { order: 9 }))];
  expect(changes(theirs).changes.map(told)).toEqual([
    ['Ash', 'Name', 'Ash', 'Oak', 'Ash', false],
    ['Ash', 'Cost', '1', '2', '1', false],
  ]);
  const mine = [of('a', card('Ash', '1'), card('Elm', '2'))];
  expect(changes(theirs, mine).changes.map(told)).toEqual([['Elm', 'Name', 'Ash', 'Oak', 'Elm', true]]);
});

test('what the project has alike, a new place in the table and worked out cells are no changes', () => {
  const same = [of('a', card('Ash', '1'), card('Oak', '1'))];
  expect(changes(same, same).changes).toEqual([]);
  expect(changes([of('a', card('Ash', '1'), card('Ash', '1', { order: 7 }))]).changes).toEqual([]);
  const formula = card('Ash', '1', { cells: { name: 'Ash', cost: '1', twice: '5' } });
  expect(changes([of('a', card('Ash', '1'), formula)]).changes).toEqual([]);
});

test('new and deleted cards come whole; a card that one side deleted and the other changed is a conflict', () => {
  const [ash, oak] = [card('Ash', '1'), card('Oak', '2')];
  expect(changes([of('n', null, oak)]).changes.map(told)).toEqual([
    ['Oak', 'New card', undefined, 'Oak · 2', undefined, false],
  ]);
  expect(changes([of('a', ash, null)]).changes.map(told)).toEqual([
    ['Ash', 'Deleted card', 'Ash · 1', undefined, 'Ash · 1', false],
  ]);
  expect(changes([of('a', ash, null)], [of('a', ash, oak)]).changes[0]?.conflict).toBe(true);
  expect(changes([of('a', ash, null)], [of('a', ash, null)]).changes).toEqual([]);
  expect(changes([of('a', ash, oak)], [of('a', ash, null)]).changes.map(told)).toEqual([
    ['Oak', 'Changed here, gone from the project', 'Ash · 1', 'Oak · 2', undefined, true],
  ]);
  expect(changes([of('a', ash, card('Ash', '1', { order: 3 }))], [of('a', ash, null)]).changes).toEqual([]);
});

test('numbers of copies are offered, and cells without a column of the project are named', () => {
  const theirs = [of('a', card('Ash', '1'), card('Ash', '1', { copies: 3 }))];
  expect(changes(theirs).changes.map(told)).toEqual([['Ash', 'Copies', '1', '3', '1', false]]);
  const strange = card('Ash', '1', { cells: { name: 'Ash', cost: '1', later: 'x' } });
  expect(changes([of('a', card('Ash', '1'), strange)])).toEqual({
    ...{ changes: [], left: ['A cell of Ash: the project does not have its column.'] },
  });
  const elsewhere = { ...of('a', null, card('Ash', '1')), path: 'components/gone/cards/a' };
  expect(changes([elsewhere]).left).toEqual(['Cards of a component that the project does not have.']);
});

test('layouts come with the fonts that the project has, and notes as a text', () => {
  const scene = (x: number, url: string): JsonObject => {
    const layout = newLayout('Front');
    layout.zones = [newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 })];
    return {
      ...layout,
      fonts: [{ family: 'own-a', name: 'A', url: `/v0/b/x/o/${url}`, weight: 400, italic: false }],
    } as never;
  };
  const doc = (x: number, url: string): JsonObject => ({ name: 'Front', scene: scene(x, url) });
  const at = (before: JsonObject | null, after: JsonObject | null): StoredChange => ({
    ...{ path: 'layouts/l', before, after },
  });
  expect(changes([at(doc(5, 'a'), doc(5, 'b'))]).changes).toEqual([]);
  const [moved] = changes([at(doc(5, 'a'), doc(8, 'b'))]).changes;
  expect(moved && told(moved)).toEqual(['Front', 'Layout', '', 'Title', '', false]);
  expect(moved?.act).toMatchObject({
    kind: 'layout',
    layout: 'l',
    scene: { fonts: [{ url: '/v0/b/x/o/a' }] },
  });
  const mine = [at(doc(5, 'a'), doc(9, 'a'))];
  expect(changes([at(doc(5, 'a'), doc(8, 'b'))], mine).changes[0]?.conflict).toBe(true);
  const notes = { path: 'notes/main', before: { text: 'One' }, after: { text: 'Two' } };
  expect(changes([notes]).changes.map(told)).toEqual([['Notes', 'Text', 'One', 'Two', 'One', false]]);
});
