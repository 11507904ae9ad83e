// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Block, RULEBOOK_VERSION, type Rulebook } from '../../../../core/book/document/schema.ts';
import type { Entries } from '../../../../core/translation/translation.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { keepDrafts, translationKey } from '../../../translation/drafts.ts';
import { useLanguages } from './use-languages.ts';

const stored = { languages: ['de'] as readonly string[], entries: new Map<string, Entries>(), error: null };
vi.mock('../../../../data/translations/translations.ts', () => ({ useTranslations: () => stored }));
vi.mock('../../../../data/translations/translation-place.ts', () => ({ rulebookTranslations: () => ({}) }));

const PROJECT = { id: 'project' } as Project;
const book = (...texts: string[]): Rulebook => ({
  version: RULEBOOK_VERSION,
  title: '7',
  subtitle: '',
  language: 'en',
  blocks: texts.map(
    (text, at): Block => ({ type: 'paragraph', id: `p${at}`, content: [{ type: 'text', text }] }),
  ),
});
const open = (doc: Rulebook) =>
  renderHook(({ of }) => useLanguages(PROJECT, 'book', of), { initialProps: { of: doc } });

beforeEach(() => {
  stored.languages = ['de'];
  stored.entries = new Map([
    [
      'de',
      new Map([
        ['p0.text', { source: 'Draw.', text: 'Zieh.' }],
        ['p1.text', { source: 'Pay {energy}.', text: 'Zahle {energy}.' }],
      ]),
    ],
  ]);
});

test('readers get the translations that fit, and what they get is worked out once for a text', () => {
  const { result, rerender } = open(book('Draw one.', 'Pay.'));
  const published = result.current.published('de');
  expect(published).toMatchObject({
    texts: { 'p0.text': 'Zieh.' },
    counts: { stale: 2, missing: 0 },
    unprinted: 1,
  });
  act(() => result.current.choose('de'));
  expect(result.current.published('de')).toBe(published);
  rerender({ of: book('Draw one.', 'Pay it.') });
  expect(result.current.published('de')).not.toBe(published);
});

test('a text that changes leaves the rows of all others as they are', () => {
  const { result, rerender } = open(book('Draw.', 'Pay.'));
  act(() => result.current.choose('de'));
  const [first, second] = result.current.units;
  rerender({ of: book('Draw.', 'Pay it.') });
  expect(result.current.units[0]).toBe(first);
  expect(result.current.units[1]).not.toBe(second);
});

test('drafts of a language that somebody removed are said once', () => {
  const key = translationKey('project', 'book', 'de');
  keepDrafts(key, new Map([['p0.text', { text: 'Zie' }]]));
  const said = vi.spyOn(toasts, 'show');
  const { rerender } = open(book('Draw.'));
  expect(said).not.toHaveBeenCalled();
  stored.languages = [];
  rerender({ of: book('Draw.') });
  rerender({ of: book('Draw.') });
  expect(said).toHaveBeenCalledTimes(1);
  expect(said.mock.calls[0]?.[0]).toContain('German was removed. A translation that you had not saved');
  keepDrafts(key, new Map());
});
