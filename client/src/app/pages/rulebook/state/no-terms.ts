import type { Transaction } from 'prosemirror-state';
import type { CardText } from '../../../../core/book/checks/checks.ts';
import { blockWords } from '../../../../core/book/document/block-words.ts';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import type { NoTerm, Rulebook } from '../../../../core/book/document/schema.ts';
import { allBlocks } from '../../../../core/book/document/walk.ts';
import { noTermsOfProse } from '../../../../core/book/prose/convert.ts';
import { NoTermStep } from '../../../../core/book/prose/no-term-step.ts';
import { EVERYWHERE, hasNoTerm, placeOfCard, withNoTerm } from '../../../../core/book/references/no-terms.ts';
import { isolated } from '../../../../core/text/names.ts';
import type { Editor } from '../../../../data/rulebooks/sync.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';

/** The place at which words are no term, in words. */
export function noTermPlace({ at }: NoTerm, doc: Rulebook, cards: readonly CardText[]): string {
  if (at === EVERYWHERE) return 'in the whole rulebook';
  const card = cards.find(({ place }) => place && placeOfCard(place) === at);
  if (card) return `on the card ${isolated(card.name)}`;
  for (const block of allBlocks(doc.blocks)) if (block.id === at) return `in ${blockWords(block)}`;
  return 'in a text that is gone';
}

/**
 * Says that words are no term at a place, or takes that back. The editor's undo does the opposite.
 * @param tr what else the text changes with it
 */
export function changeNoTerm(
  { state, dispatch }: Editor,
  one: NoTerm,
  says: boolean,
  tr: Transaction = state.tr,
): void {
  const all = noTermsOfProse(state.doc);
  if (says && !withNoTerm(all, one)) {
    toasts.show(`A rulebook can have at most ${LIMITS.noTerms} words that are not terms: remove one first.`, {
      type: 'warning',
    });
    return;
  }
  if (hasNoTerm(all, one) !== says) tr.step(new NoTermStep(one, says));
  if (tr.docChanged) dispatch(tr);
}
