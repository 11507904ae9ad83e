import { describe, expect, test } from 'vitest';
import { newLayout } from '../scene/new-layout.ts';
import { undocumented } from '../testing/tts-format.ts';
import { diceOf, dicePainting, FACES } from './dice.ts';
import { NO_EXTRAS, notebookPage, withNotebook } from './extras.ts';
import { NO_FIELDS, planSave, saveEntries, tablePart, usualShape } from './package.ts';
import { readSave, saveFaults, type TtsObject, type TtsSave } from './save.ts';
import { DEFAULT_SIMULATOR_SETTINGS, type TablePart } from './simulator.ts';

const columns = [
  { key: 'n', name: 'Name' },
  { key: 't', name: 'Text' },
];

function part(id: string, names: readonly string[], as: TablePart['as'] = 'deck', copies = 1): TablePart {
  const printed = {
    name: `The ${id}`,
    layout: newLayout(id),
    back: null,
    columns,
    cards: names.map((name) => ({ row: { cells: { n: name, t: `**${name}**<br>wins` } }, copies })),
  };
  return tablePart(printed, { id, cardIds: names.map((name) => `${id}${name}`), as }, NO_FIELDS);
}

function save(parts: readonly TablePart[], existing?: TtsSave, extras = NO_EXTRAS): TtsSave {
  const planned = planSave(parts, DEFAULT_SIMULATOR_SETTINGS, 'Game', existing, extras);
  if (!planned) throw new Error('nothing planned');
  // As the game reads it: by way of its text, checked against the documented shape.
  const json = saveEntries(planned, 'game.json').find(({ name }) => name === 'game.json');
  const read = readSave(json?.kind === 'text' ? json.text : '');
  expect(saveFaults(read)).toEqual([]);
  expect(undocumented(read)).toEqual([]);
  return read;
}
const names = (objects: readonly TtsObject[]): string[] =>
  objects.flatMap(({ Nickname = '', ContainedObjects, DeckIDs }) =>
    DeckIDs ? names(ContainedObjects ?? []) : [Nickname],
  );

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('dice', () => {
  test('six rows are a die whose values are the faces’ names, and every face is in the picture once', () => {
    const dice = part('dice', [...SIX, ...SIX.map((name) => name.toUpperCase())], 'die', 2);
    const objects = save([dice]).ObjectStates;
    expect(objects.map(({ Name }) => Name)).toEqual(Array(4).fill('Custom_Dice'));
    expect(
      objects.map(({ RotationValues = [] }) => RotationValues.map((one) => one['Value']).join('')),
    ).toEqual(['abcdef', 'abcdef', 'ABCDEF', 'ABCDEF']);
    const ways = new Set(objects[0]?.RotationValues?.map(({ Rotation }) => JSON.stringify(Rotation)));
    expect(ways.size).toBe(FACES);

    const [faces = []] = diceOf(dice);
    const { width, height, items } = dicePainting(dice, faces);
    expect([width, height, items.length]).toEqual([2_048, 2_048, FACES]);
    // A field of the grid of three by three each.
    const fields = items.map(({ x, y, scale, layout }) => {
      const [left, top] = [x / (2_048 / 3), y / (2_048 / 3)];
      expect(Math.floor((x + layout.size.w * scale - 1) / (2_048 / 3))).toBe(Math.floor(left));
      return `${Math.floor(left)} ${Math.floor(top)}`;
    });
    expect(new Set(fields).size).toBe(FACES);
  });

  test('another number of rows is refused with what a die needs', () => {
    expect(() => save([part('dice', SIX.slice(1), 'die')])).toThrow(/have 5 faces: a die has 6/);
  });
});

describe('notebook', () => {
  test('a document’s rows are passages under their names, without markup', () => {
    const rules = part('rules', ['Setup', 'Turn']);
    expect(notebookPage(rules)).toEqual({
      title: 'The rules',
      body: 'Setup\n\nSetup\nwins\n\nTurn\n\nTurn\nwins',
    });
    const extras = { notebook: [notebookPage(rules)], snapPoints: false };
    expect(Object.values(save([part('x', SIX)], undefined, extras).TabStates ?? {})).toMatchObject([
      { title: 'The rules', id: 0 },
    ]);
    // Rules alone are something to put on the table.
    expect(save([], undefined, extras).ObjectStates).toEqual([]);
  });

  test('an updated save keeps the other pages, and no page is there twice', () => {
    const first = save([part('x', SIX)], undefined, {
      notebook: [{ title: 'Rules', body: 'old' }],
      snapPoints: true,
    });
    first.TabStates = withNotebook(first.TabStates, [{ title: 'Score', body: '3 : 2' }]);
    const second = save([part('x', SIX)], first, {
      notebook: [{ title: 'Rules', body: 'new' }],
      snapPoints: false,
    });
    expect(Object.values(second.TabStates ?? {}).map(({ title, body, id }) => [id, title, body])).toEqual([
      [0, 'Rules', 'new'],
      [1, 'Score', '3 : 2'],
    ]);
    expect(second.SnapPoints).toEqual(first.SnapPoints);
  });
});

test('snap points lie under each deck and beside it, none under pieces', () => {
  const parts = [part('x', SIX), part('y', SIX), part('z', SIX, 'token')];
  const made = save(parts, undefined, { notebook: [], snapPoints: true });
  const decks = made.ObjectStates.filter(({ DeckIDs }) => DeckIDs);
  const at = made.SnapPoints?.map(({ Position: { x, z } }) => [x, z]) ?? [];
  expect(at).toHaveLength(4);
  for (const { Transform: place } of decks) expect(at).toContainEqual([place?.posX, place?.posZ]);
  expect(save(parts).SnapPoints).toBeUndefined();
});

test('bringing one component up to date leaves the cards and pieces of another where they are', () => {
  const both = save([part('x', SIX), part('y', ['k', 'l'], 'token')]);
  const updated = save([part('x', [...SIX.slice(1), 'new'])], both);
  expect(names(updated.ObjectStates).sort()).toEqual(['b', 'c', 'd', 'e', 'f', 'k', 'l', 'new']);
  const tokens = save([part('y', ['l', 'm'], 'token')], both);
  expect(names(tokens.ObjectStates).sort()).toEqual([...SIX, 'l', 'm']);
});

test('a save made before components were named on cards is still brought up to date', () => {
  const made = save([part('x', SIX)]);
  for (const card of made.ObjectStates[0]?.ContainedObjects ?? []) {
    card.Memo = `tuckbox:${card.Memo?.split('/')[1]}`;
  }
  const updated = save([part('x', SIX)], made);
  expect(names(updated.ObjectStates)).toEqual(SIX);
});

test('kinds of components become what the game has for them', () => {
  expect(['cards', 'tokens', 'tiles', 'dice', 'boards', 'mats', 'documents', '?'].map(usualShape)).toEqual([
    'deck',
    'token',
    'tile',
    'die',
    'board',
    'board',
    'notebook',
    'deck',
  ]);
});

test('names, descriptions and pages of a notebook are those of the printed language', () => {
  const english = part('cards', ['Dog']);
  const cards = english.cards.map(({ row, copies }) => {
    return { row: { ...row, words: { n: 'Hund', t: '**Hund**<br>siegt' } }, copies };
  });
  const german: TablePart = { ...english, cards, fields: { nickname: 'n', description: 't' } };
  const [card] = save([german]).ObjectStates;
  expect(card).toMatchObject({ Nickname: 'Hund', Description: 'Hund\nsiegt' });
  expect(notebookPage(german).body).toBe('Hund\n\nHund\nsiegt');
  // Tags are for scripts, which compare them with what the table says.
  const tagged = { ...german, fields: { tags: 'n' } };
  expect(save([tagged]).ObjectStates[0]?.Tags).toContain('Dog');
});
