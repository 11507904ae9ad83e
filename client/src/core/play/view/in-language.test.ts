import { expect, test } from 'vitest';
import type { FaceLook } from '../protocol/looks.ts';
import type { Patch, State } from '../protocol/messages.ts';
import { spokenTag, viewIn } from './in-language.ts';
import { pieceName } from './names.ts';
import { patched, viewOfState } from './view.ts';

const FOX: FaceLook = {
  name: 'Fox',
  sides: [{ name: 'Fox', layout: 0, table: 0, cells: { n: 'Fox' } }],
  spoken: { de: { name: 'Fuchs', sides: [{ name: 'Fuchs', words: { n: 'Fuchs' } }] } },
};
const state = {
  epoch: 'e',
  n: 1,
  seat: 0,
  commitment: '',
  set: { p: { surface: 0, x: 0, y: 0, z: 0, kind: 'card', back: 0 } },
  backs: { 0: JSON.stringify({ name: 'Deck', size: { w: 1, h: 1 } }) },
  common: JSON.stringify({ languages: { source: 'en', spoken: { de: [], 'pt-br': [] }, without: ['fr'] } }),
  table: { seats: { 0: { name: 'Ann' }, 1: { name: 'Ben' } }, settings: {}, clock: {} },
} as unknown as State;
const flip = {
  n: 2,
  by: 1,
  verb: 'flip',
  set: { p: { surface: 0, x: 0, y: 0, z: 0, kind: 'card', back: 0, face: 0, facing: 'up' } },
  faces: { 0: JSON.stringify(FOX) },
  say: [{ say: 'moved', pieces: [{ handle: 'p', face: 0 }] }],
} as unknown as Patch;

test('everybody reads the log with the names of cards in their own language, whenever they choose it', () => {
  const next = patched(viewOfState(state), flip);
  if (!('view' in next)) throw new Error(next.fault);
  const { view } = next;
  const german = viewIn(view, 'de');
  expect(view.log.map(({ text }) => text)).toEqual(['Ben turns over Fox']);
  expect(german.log.map(({ text }) => text)).toEqual(['Ben turns over Fuchs']);
  expect([pieceName(view, 'p'), pieceName(german, 'p')]).toEqual(['Fox', 'Fuchs']);
  // A language without translations shows the source, and what did not change stays the same object.
  expect(viewIn(view, 'pt-BR').log).toEqual(view.log);
  expect(viewIn(view, 'de').faces).toBe(german.faces);
  expect(viewIn(view, 'en')).toBe(view);
});

test('a language is meant by any tag of it, and one that the box has not got by none', () => {
  const { languages } = viewOfState(state).common;
  expect(
    ['de', 'de-DE', 'pt-BR', 'en', 'fr', 'xx', '', null].map((tag) => spokenTag(languages, tag)),
  ).toEqual(['de', 'de', 'pt-br', undefined, undefined, undefined, undefined, undefined]);
  expect(spokenTag(undefined, 'de')).toBeUndefined();
});
