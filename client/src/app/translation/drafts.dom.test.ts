// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { type Draft, type Drafts, keepDrafts, keptDrafts, setAside, translationKey } from './drafts.ts';

const KEY = translationKey('project', 'book', 'de');
const drafts = (...list: readonly Draft[]): Drafts =>
  new Map(list.map((draft, at) => [`p${at}.text`, draft]));
const isWarned = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

afterEach(() => keepDrafts(KEY, new Map()));

test('a warning comes before the tab closes, whatever page is shown, as long as something is not stored', () => {
  expect(isWarned()).toBe(false);
  keepDrafts(KEY, drafts({ text: 'Zieh' }));
  expect(isWarned()).toBe(true);
  keepDrafts(KEY, drafts({ text: 'Zieh', stored: { before: undefined } }));
  expect(isWarned()).toBe(false);
});

test('a draft whose text is gone is kept, and nobody is warned of it', () => {
  keepDrafts(KEY, drafts({ text: 'Zieh', gone: true }));
  expect(isWarned()).toBe(false);
  keepDrafts(KEY, drafts({ text: 'Zieh', gone: true }, { text: 'Nimm' }));
  expect(isWarned()).toBe(true);
});

test('drafts of a language that was removed are set aside once; other rulebooks keep theirs', () => {
  keepDrafts(KEY, drafts({ text: 'Zieh' }, { text: 'Nimm' }));
  expect(setAside('project', 'boo', []).size).toBe(0);
  expect(setAside('project', 'book', ['de']).size).toBe(0);
  expect(isWarned()).toBe(true);
  expect([...setAside('project', 'book', ['fr'])]).toEqual([['de', 2]]);
  expect(setAside('project', 'book', ['fr']).size).toBe(0);
  expect(isWarned()).toBe(false);
  expect(keptDrafts(KEY).size).toBe(2);
});
