import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markupForm } from './cards/markup-form.ts';
import { cellId, isCardUnit, renamedUnit } from './cards/unit-ids.ts';
import { departures, isTerm, MAX_TERMS, newTerm, type Term, termId, termsIn } from './terms.ts';
import { type Entries, unitStates } from './translation.ts';

const form = markupForm({ variables: [], columns: [], cells: {} });
const unit = (id: string, source: string) => ({ id, place: id, label: 'Rule', form, source, most: 1_000 });
const term = (source: string, text: string | undefined): Term => ({ id: termId(source), source, text });

/** Departures of texts, by their place in the list. */
function departing(
  texts: readonly (readonly [source: string, text: string])[],
  terms: readonly Term[],
  names: readonly (readonly [source: string, text: string])[] = [],
): Record<string, readonly string[]> {
  const states = (list: typeof texts, prefix: string) =>
    unitStates(
      list.map(([source], at) => unit(`${prefix}${at}`, source)),
      new Map(list.map(([source, text], at) => [`${prefix}${at}`, { source, text }])),
    );
  const named = states(names, 'n');
  return Object.fromEntries(departures([...named, ...states(texts, '')], terms, named));
}

test('a translation that does not have the words of a term is marked, and one that inflects them is not', () => {
  const terms = [term('Forest', 'Wald'), term('exhaust', 'erschöpfen'), term('Silver', undefined)];
  expect(
    departing(
      [
        ['Go to the forest.', 'Geh in den Forst.'],
        ['Two Forests burn', 'Zwei Wälder brennen'],
        ['**Forest** of {Name}', 'Im **Walde** von {Name}'],
        ['The forester sleeps', 'Der Förster schläft'],
        ['Silver', 'Silber'],
      ],
      terms,
    ),
  ).toEqual({
    0: ['The term “Forest” is translated as “Wald”.'],
    1: ['The term “Forest” is translated as “Wald”.'],
  });
});

test('other texts call cards by the names that they have in the language', () => {
  const names = [
    ['Ash', 'Asche'],
    ['Ash Tree', 'Esche'],
    ['Ash', 'Asche II'],
    ['Of', 'Von'],
  ] as const;
  const found = departing(
    [
      ['Put Ash Tree beside Ash.', 'Leg Esche neben Asche.'],
      ['Put Ash Tree aside.', 'Leg Asche weg.'],
      ['Spread ash.', 'Streu Staub.'],
    ],
    [],
    names,
  );
  expect(found).toEqual({ 1: ['The card “Ash Tree” is called “Esche”.'] });
  // The list stands above the name.
  expect(departing([['An Ash Tree', 'Eine Esche']], [term('ash tree', 'Eschenbaum')], names)).toMatchObject({
    0: ['The term “ash tree” is translated as “Eschenbaum”.'],
    n1: ['The term “ash tree” is translated as “Eschenbaum”.'],
  });
});

test('two cards of one name that are called differently are marked', () => {
  const found = departing(
    [],
    [],
    [
      ['Fire', 'Feuer'],
      ['Fire', 'Brand'],
    ],
  );
  expect(found).toEqual({ n1: ['The card “Fire” is called “Feuer”.'] });
});

test('the terms of a project are those of all its languages', () => {
  const entries = new Map<string, Entries>([
    [
      'de',
      new Map([
        [termId('Ash Tree'), { source: 'Ash Tree', text: 'Esche' }],
        ['c.a.b.name', { source: 'x', text: 'y' }],
      ]),
    ],
    ['fr', new Map([[termId('Sea'), { source: 'Sea', text: 'Mer' }]])],
  ]);
  expect(termsIn('de', entries)).toEqual([term('Ash Tree', 'Esche'), term('Sea', undefined)]);
  expect(termsIn('it', entries).map(({ text }) => text)).toEqual([undefined, undefined]);
});

test('a term is added once, in whatever case, and says what is wrong with it', () => {
  const known = [term('Ash Tree', 'Esche'), term('Sea', undefined)];
  expect(newTerm(' sea ', 'Meer', known)).toEqual({
    id: termId('Sea'),
    entry: { source: 'Sea', text: 'Meer' },
  });
  expect(newTerm('Old  well', ' Alter Brunnen', known).entry).toEqual({
    source: 'Old well',
    text: 'Alter Brunnen',
  });
  expect(() => newTerm('ASH TREE', 'x', known)).toThrow('“Ash Tree” is in the list already');
  expect(() => newTerm('', 'x', known)).toThrow('Write the term and its translation.');
  expect(() => newTerm('x'.repeat(201), 'x', known)).toThrow('at most 200 characters');
  const many = Array.from({ length: MAX_TERMS }, (_, at) => term(`t${at}`, 'x'));
  expect(() => newTerm('one more', 'x', many)).toThrow(`at most ${MAX_TERMS} terms`);
});

test('ids of terms are those of no text, and go with their project', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (words) => {
      fc.pre(words.trim() !== '');
      const id = termId(words);
      expect(isTerm(id)).toBe(true);
      expect(isCardUnit(id)).toBe(true);
      expect(renamedUnit(id, () => null)).toBe(id);
      expect(id).toBe(termId(` ${words} `));
    }),
  );
  expect(isTerm(cellId('a', 'b', 'c'))).toBe(false);
});
