import type { Finding } from '../../../../core/book/checks/checks.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { replaceOnCard, restoreOnCard } from '../../../../data/rulebooks/replace-on-card.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { offerUndo } from '../../../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { replaceCard } from '../commands/replace-card.ts';
import { replaceInBlock } from '../commands/replace-in-block.ts';
import type { RulebookEditor } from './rulebook-editor.ts';

/**
 * Puts another card in the place of one that is gone, says that an example still holds, or replaces the words of a finding:
 * in the text by the editor, whose undo takes it back, or on the card.
 */
export function replaceFound(
  project: Project,
  editor: RulebookEditor,
  { block, replace, exchange, holds }: Finding,
): void {
  const { view } = editor;
  if (exchange && block !== null && view) {
    replaceCard(block, exchange.from, exchange.to)(view.state, view.dispatch, view);
    return;
  }
  if (holds && block !== null) editor.holdsStill(block);
  if (!replace) return;
  const { words, by, card } = replace;
  if (!card) {
    const done = block !== null && view && replaceInBlock(block, words, by)(view.state, view.dispatch, view);
    if (!done)
      toasts.show(`${words} is formatted in several ways here: replace it by hand.`, { type: 'warning' });
    return;
  }
  replaceOnCard(project, card, words, by).then((changes) => {
    if (changes.length === 0) {
      toasts.show(`${words} is not in a text of this card: change it in the table.`, { type: 'warning' });
      return;
    }
    offerUndo(
      `The card now says ${by}.`,
      () => void restoreOnCard(project, card, changes).catch(tellFailure),
    );
  }, tellFailure);
}
