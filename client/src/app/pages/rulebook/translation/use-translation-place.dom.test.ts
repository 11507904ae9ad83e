// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { type Block, RULEBOOK_VERSION } from '../../../../core/book/document/schema.ts';
import { translatedUnits } from '../../../../core/book/translation/translation.ts';
import { useTranslationPlace } from './use-translation-place.ts';

const BLOCKS: Block[] = [
  { type: 'paragraph', id: 'p0', content: [{ type: 'text', text: 'Draw.' }] },
  { type: 'paragraph', id: 'p1', content: [{ type: 'text', text: 'Stop.' }] },
];
const UNITS = translatedUnits(
  { version: RULEBOOK_VERSION, title: '7', subtitle: '', language: 'en', blocks: BLOCKS },
  new Map(),
);
const STALE = { code: 'translation-stale', language: 'de', unit: 'p1.text', message: '' } as const;

function places() {
  const goToText = vi.fn();
  const { result } = renderHook(() => {
    const [chosen, choose] = useState<string | undefined>(undefined);
    const place = useTranslationPlace({ chosen, choose, units: chosen ? UNITS : [] }, goToText);
    return { place, choose };
  });
  return { result, goToText };
}

test('a finding leads to its text in its language, and nobody who comes back later is sent there again', () => {
  const { result } = places();
  act(() => result.current.place.translate(STALE));
  expect(result.current.place.wanted).toMatchObject({ unit: 'p1.text' });
  act(() => result.current.choose('fr'));
  expect(result.current.place.wanted).toBeUndefined();
  act(() => result.current.choose('de'));
  expect(result.current.place.wanted).toBeUndefined();
});

test('a block leads to its first text in the language that is shown, and else into the text itself', () => {
  const { result, goToText } = places();
  act(() => result.current.place.goTo('p1'));
  expect(goToText).toHaveBeenCalledWith('p1');
  expect(result.current.place.wanted).toBeUndefined();
  act(() => result.current.choose('de'));
  act(() => result.current.place.goTo('p1'));
  expect(result.current.place.wanted).toMatchObject({ unit: 'p1.text' });
});
