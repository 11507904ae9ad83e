import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Card, type Component, MAX_CARDS, type WithId } from '../documents/documents.ts';
import { plainTable, toCsv } from '../table/download.ts';
import { type ImportPlan, intentsOf, planImport, suggestMapping } from './plan.ts';
import { type ImportedTable, readDelimited } from './table.ts';

const component: WithId<Component> = {
  id: 'c',
  name: 'Cards',
  kind: 'cards',
  layoutId: null,
  backLayoutId: null,
  columns: [
    { key: 'id', name: 'ID', type: 'text' },
    { key: 'name', name: 'Name', type: 'text' },
    { key: 'text', name: 'Text', type: 'text' },
  ],
  order: 0,
  cardCount: 0,
};
const card = (id: string, name: string, text: string, copies = 1): WithId<Card> => ({
  id: `card-${id}`,
  order: Number(id),
  copies,
  cells: { id, name, text },
});
const cards = [card('1', 'Fox', 'quick'), card('2', 'Dog', 'lazy'), card('3', 'Owl', 'wise', 2)];

function read(text: string): ImportedTable {
  const result = readDelimited(text);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.table;
}
function planned(text: string, list = cards, of = component): ImportPlan {
  const table = read(text);
  const result = planImport(table, suggestMapping(table, of, list), of, list);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.plan;
}
const summary = (plan: ImportPlan) => ({
  added: plan.added.map(({ cells }) => cells.name),
  changed: plan.changed.map(({ card: { id }, cells, copies }) => [
    id,
    cells.map(({ key, after }) => `${key}=${after}`).join(),
    copies?.after,
  ]),
  unchanged: plan.unchanged,
  missing: plan.missing.map(({ id }) => id),
});

describe('with ids', () => {
  it('finds cards whatever their order, and shows exactly what changed', () => {
    expect(summary(planned('ID,Name,Text,Copies\n3,Owl,wiser,2\n1,Fox,quick,1\n4,Bat,blind,1\n'))).toEqual({
      added: ['Bat'],
      changed: [['card-3', 'text=wiser', undefined]],
      unchanged: 1,
      missing: ['card-2'],
    });
  });

  it('refuses a file in which two rows have one id', () => {
    const marked = { ...component, idColumn: 'id' };
    const table = read('ID,Name\n1,A\n1,B\n');
    const mapping = {
      ...suggestMapping(table, marked, cards),
      match: { by: 'column' as const, source: 'id' },
    };
    expect(planImport(table, mapping, marked, cards)).toEqual({
      problems: [{ row: 3, message: '“1” also names row 2. Every row needs its own.' }],
    });
  });
});

describe('without ids', () => {
  it('takes equal rows, then equal names, then rows that are mostly the same', () => {
    const plan = planned('Name,Text\nDog,lazier\nFoxx,quick\nOwl,wise\nBat,blind\n', cards, component);
    expect(summary(plan)).toEqual({
      added: ['Bat'],
      changed: [
        ['card-2', 'text=lazier', undefined],
        ['card-1', 'name=Foxx', undefined],
      ],
      unchanged: 1,
      missing: [],
    });
  });
});

it('a download taken back changes nothing, whatever is in it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\n', ' '), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, fc.nat(9)), { minLength: 1, maxLength: 20 }), (rows) => {
      const list = rows.map(([name, text, copies], i) => ({
        ...card(String(i), name, text, copies),
        id: `x${i}`,
      }));
      const plan = planned(toCsv(plainTable(component, list)), list);
      expect(summary(plan)).toEqual({ added: [], changed: [], unchanged: list.length, missing: [] });
    }),
  );
});

it('makes new columns, and writes nothing it need not', () => {
  const plan = planned('ID,Name,Text,Power\n1,Fox,quick,3\n2,Dog,lazy,\n3,Owl,wise,\n');
  expect(plan.newColumns).toEqual([{ key: 'power', name: 'Power', type: 'number' }]);
  const intents = intentsOf(plan, component, 3, true, () => 'new');
  expect(intents.map((intent) => intent.kind)).toEqual(['component', 'cell']);
});

it('refuses a file that would make a component of more cards than a page shows', () => {
  const many = Array.from({ length: MAX_CARDS - 1 }, (_, at) => card(String(at + 1), `Card ${at}`, ''));
  const table = read('ID,Name,Text\nx,New,a\ny,Newer,b\n');
  const result = planImport(table, suggestMapping(table, component, many), component, many);
  expect(result).toMatchObject({ problems: [{ message: expect.stringContaining('at most 10000') }] });
});
