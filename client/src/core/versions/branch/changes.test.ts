import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../archive/bundle.ts';
import type { Block } from '../../book/document/schema.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import type { StoredChange } from '../stored-change.ts';
import type { BookText, BranchChange } from './change.ts';
import { branchChanges } from './changes.ts';
import type { BranchTexts } from './rulebooks.ts';

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

test('statuses come back, and a deleted card whose copies or status changed meanwhile is a conflict that says so', () => {
  const ash = card('Ash', '1');
  const finished = card('Ash', '1', { status: 'final' });
  expect(changes([of('a', ash, finished)]).changes.map(told)).toEqual([
    ['Ash', 'Status', '', 'final', '', false],
  ]);
  expect(changes([of('a', finished, ash)]).changes[0]?.act).toMatchObject({ kind: 'status', status: '' });
  const both = changes([of('a', ash, finished)], [of('a', ash, card('Ash', '1', { status: 'cut' }))]);
  expect(both.changes.map(told)).toEqual([['Ash', 'Status', '', 'final', 'cut', true]]);

  const meanwhile = card('Ash', '1', { copies: 4, status: 'review', order: 9 });
  const [deleted] = changes([of('a', ash, null)], [of('a', ash, meanwhile)]).changes;
  expect(deleted).toMatchObject({
    ...{ what: 'Deleted card', conflict: true, act: { kind: 'remove', was: meanwhile } },
    parts: [
      { what: 'Copies', before: '1', after: '4' },
      { what: 'Status', before: '', after: 'review' },
    ],
  });
  const moved = changes([of('a', ash, null)], [of('a', ash, card('Ash', '1', { order: 9 }))]);
  expect(moved.changes[0]?.conflict).toBe(false);
  const [gone] = changes([of('a', ash, finished)], [of('a', ash, null)]).changes;
  expect(gone?.parts).toEqual([{ what: 'Status', before: '', after: 'final' }]);
});

test('a new card with a cell of a column that the project lacks says so', () => {
  const oak = card('Oak', '2', { cells: { name: 'Oak', cost: '2', mood: 'dark', empty: '' } });
  const { changes: all, left } = changes([of('n', null, oak)]);
  expect(all).toHaveLength(1);
  expect(left).toEqual(['A cell of Oak: the project does not have its column.']);
});

test('a card that was brought back and went on is a conflict, and nothing of it is taken unasked', () => {
  const [theirs, mine] = [of('n', null, card('Oak', '2')), of('n', null, card('Oak', '3'))];
  expect(changes([theirs], [theirs]).changes).toEqual([]);
  expect(changes([theirs], [mine]).changes.map(told)).toEqual([['Oak', 'Cost', undefined, '2', '3', true]]);
});

test('new layouts come back with fonts that the project lacks; deleted ones are named', () => {
  const font = (family: string, url: string) => ({
    ...{ family, name: family, url: `/v0/b/x/o/${url}`, weight: 400, italic: false },
  });
  const doc = (name: string, x: number, fonts: JsonObject[]): JsonObject => {
    const layout = newLayout(name);
    layout.zones = [newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 })];
    return { name, scene: { ...layout, fonts } as never };
  };
  const at = (before: JsonObject | null, after: JsonObject | null): StoredChange => ({
    ...{ path: 'layouts/l', before, after },
  });
  const fresh = doc('Back', 5, [font('own-b', 'b')]);
  expect(changes([at(null, fresh)]).changes).toMatchObject([
    { name: 'Back', what: 'New layout', conflict: false, act: { kind: 'newLayout', value: fresh } },
  ]);
  const [was, is] = [
    doc('Back', 5, [font('own-a', 'a')]),
    doc('Back', 8, [font('own-a', 'x'), font('own-b', 'b')]),
  ];
  expect(changes([at(was, is)]).changes[0]?.act).toMatchObject({
    scene: { fonts: [{ url: '/v0/b/x/o/a' }, { url: '/v0/b/x/o/b' }] },
  });
  expect(changes([at(was, is)], [at(was, null)]).changes).toMatchObject([
    { what: 'Changed here, gone from the project', conflict: true },
  ]);
  expect(changes([at(was, null)])).toMatchObject({
    changes: [{ name: 'Back', what: 'Deleted layout', conflict: false, act: { kind: 'removeLayout' } }],
    left: [],
  });
  expect(changes([at(was, null)], [at(was, is)]).changes).toMatchObject([
    { what: 'Deleted layout', conflict: true, mine: 'Title' },
  ]);
  expect(changes([at(was, null)], [at(was, null)]).changes).toEqual([]);
  // Branches of before have the layouts of their version under other ids.
  const renewed = { path: 'layouts/other', before: null, after: was };
  expect(changes([at(was, null), renewed])).toMatchObject({
    changes: [{ what: 'New layout' }],
    left: ['The layout Back: the branch has another one of that name, so it stays in the project.'],
  });
});

test('pictures come back by their content and by what is said of them, wherever their files lie', () => {
  const image = (more: JsonObject = {}): JsonObject => ({
    ...{ path: 'Art/owl.png', hash: 'h1', bytes: 10, w: 5, h: 5, url: '/v0/b/x/o/1', former: ['bird.png'] },
    ...more,
  });
  const at = (before: JsonObject | null, after: JsonObject | null): StoredChange => ({
    ...{ path: 'images/i', before, after },
  });
  const copy = { url: '/v0/b/x/o/2', file: 'elsewhere', from: { path: 'x' }, tags: [] };
  expect(changes([at(image(), image(copy))])).toEqual({ changes: [], left: [] });
  const repainted = image({ ...copy, hash: 'h2' });
  expect(changes([at(image(), repainted)]).changes).toMatchObject([
    {
      ...{ name: 'owl.png', what: 'Picture', conflict: false },
      pictures: { mine: '/v0/b/x/o/1', theirs: '/v0/b/x/o/2' },
      act: { kind: 'image', fields: {}, url: '/v0/b/x/o/2', hash: 'h2', was: { hash: 'h1' } },
    },
  ]);
  const other = at(image(), image({ hash: 'h3' }));
  expect(changes([at(image(), repainted)], [other]).changes[0]?.conflict).toBe(true);
  const renamed = image({ ...copy, path: 'Art/eagle.png', credit: 'Ann' });
  // The project painted it anew meanwhile, which its name does not touch.
  expect(changes([at(image(), renamed)], [other]).changes).toMatchObject([
    {
      ...{ what: 'Name, Credit', conflict: false },
      act: {
        fields: { path: 'Art/eagle.png', credit: 'Ann', former: ['Art/owl.png', 'bird.png'] },
        url: undefined,
      },
    },
  ]);
  expect(changes([at(null, image(copy))]).changes).toMatchObject([
    { what: 'New picture', conflict: false, act: { kind: 'newImage', image: 'i' } },
  ]);
  expect(changes([at(image(), null)]).changes).toMatchObject([
    { what: 'Deleted picture', theirs: undefined, conflict: false, act: { kind: 'removeImage', image: 'i' } },
  ]);
  expect(changes([at(image(), null)], [other]).changes).toMatchObject([{ mine: 'Picture', conflict: true }]);
});

describe('rulebooks', () => {
  const block = (id: string, text: string): Block => ({
    ...{ type: 'paragraph', id, content: [{ type: 'text', text }] },
  });
  const text = (...blocks: Block[]): BookText => ({ blocks, noTerms: [] });
  const book = (title: string, more: JsonObject = {}): JsonObject => ({
    ...{ title, subtitle: '', language: 'en-gb', format: 'a5', style: 'plain', deletedAt: 0, order: 2 },
    ...more,
  });
  const at = (path: string, before: JsonObject | null, after: JsonObject | null): StoredChange => ({
    ...{ path: `rulebooks/r${path}`, before, after },
  });
  // Each copy writes its steps anew.
  const rewritten = at('/steps/000000001', { s: '1' }, { s: '2' });
  const found = (texts: BranchTexts, theirs = [rewritten], mine: StoredChange[] = []) =>
    branchChanges(
      theirs,
      mine,
      { components, texts: new Map([['r', texts]]) },
      new Map([['rulebooks/r', book('Rules')]]),
    );
  const [a, b, c] = [block('a', 'One.'), block('b', 'Two.'), block('c', 'Three.')];

  test('blocks come one by one, conflicts with both sides', () => {
    expect(found({ base: text(a), theirs: text(a), mine: text(b) })).toEqual({ changes: [], left: [] });
    const [two, other] = [block('a', 'One and two.'), block('a', 'None.')];
    const theirs = text(two, c);
    const { changes: all, left } = found({ base: text(a, b), theirs, mine: text(a, b) });
    expect(left).toEqual([]);
    expect(all.map(told)).toEqual([
      ['“One and two.”', 'Block', 'One.', 'One and two.', 'One.', false],
      ['“Three.”', 'New block', undefined, 'Three.', undefined, false],
      ['“Two.”', 'Deleted block', 'Two.', undefined, 'Two.', false],
    ]);
    const met = found({ base: text(a), theirs: text(two), mine: text(other) }).changes;
    expect(met.map(told)).toEqual([['“One and two.”', 'Block', 'One.', 'One and two.', 'None.', true]]);
    expect(found({ base: text(a), theirs: text(two), mine: text(c) }).changes[0]).toMatchObject({
      ...{ what: 'Changed here, gone from the project', conflict: true },
    });
    expect(found({ base: text(a, b), theirs: text(b, a), mine: text(a, b) }).left).toEqual([
      'The order of the blocks of Rules.',
    ]);
  });

  test('titles come by themselves, and new rulebooks whole', () => {
    const titled = at('', book('Rules'), book('The rules'));
    const same = { base: text(a), theirs: text(a), mine: text(a) };
    expect(found(same, [titled, rewritten]).changes.map(told)).toEqual([
      ['Rules', 'Title', 'Rules', 'The rules', 'Rules', false],
    ]);
    const fresh = { base: text(), theirs: text(a, b), mine: text() };
    const whole = found(fresh, [at('', null, book('Solo')), at('/steps/000000001', null, { s: '2' })]);
    expect(whole.changes).toMatchObject([
      { what: 'New rulebook', theirs: 'One.\nTwo.', act: { kind: 'newBook', order: 2, text: text(a, b) } },
    ]);
    const deleted = found(same, [at('', book('Rules'), null)]);
    expect(deleted.changes).toMatchObject([
      { what: 'Deleted rulebook', conflict: false, act: { kind: 'removeBook', was: { title: 'Rules' } } },
    ]);
    const rewrote = { base: text(a), theirs: text(), mine: text(b) };
    expect(found(rewrote, [at('', book('Rules'), null)]).changes).toMatchObject([
      { conflict: true, parts: [{ what: 'Text', before: 'One.', after: 'Two.' }] },
    ]);
  });

  test('a branch whose rulebooks have ids of their own says so', () => {
    const own = { path: 'rulebooks/own', before: null, after: book('Rules') };
    const none = { base: text(), theirs: text(), mine: text() };
    expect(found(none, [at('', book('Rules'), null), own])).toEqual({
      ...{ changes: [], left: ['Rulebooks: none of the branch’s is one that the version had.'] },
    });
  });
});
