import { shortened } from '../../../../../core/text/cut-text.ts';
import type { CellEdit } from '../../../../../data/table/changes/edits.ts';
import { copyText } from '../../../../../ui/copy/copy-link.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';

/** Most characters of a text that are shown; all of it can be copied. */
const MAX_SHOWN = 200;

/** Shows what was being typed when the right to change the table went, so that it can be copied. */
export function showUnsavedText(edits: readonly CellEdit[]): void {
  const text = edits.map((edit) => edit.text).join('\n');
  if (text.trim() === '') return;
  toasts.show(
    `You may no longer change this table, and what you were typing was not saved: “${shortened(text, MAX_SHOWN)}”`,
    {
      type: 'warning',
      autoCloseTime: 0,
      closeOnClick: false,
      actions: [{ buttonText: 'Copy the text', function: () => void copyText(text, 'text') }],
    },
  );
}
