import { type RefObject, useCallback, useRef } from 'react';
import type { CardText } from '../../../../core/book/checks/checks.ts';
import { textsByName } from '../../../../core/book/checks/examples-check.ts';
import type { CardTexts } from './example-cards.ts';

const maps = new WeakMap<readonly CardText[], ReadonlyMap<string, string>>();

function byName(texts: readonly CardText[]): ReadonlyMap<string, string> {
  const known = maps.get(texts) ?? textsByName(texts);
  maps.set(texts, known);
  return known;
}

/** Texts of cards for the editor, which is made before they are known, and the place where they are put then. */
export function useCardTexts(): [CardTexts, RefObject<readonly CardText[] | undefined>] {
  const texts = useRef<readonly CardText[]>(undefined);
  const cardTexts = useCallback(() => texts.current && byName(texts.current), []);
  return [cardTexts, texts];
}
