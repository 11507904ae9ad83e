import { type Command, NodeSelection, TextSelection } from 'prosemirror-state';

/** Keys with which the browser itself moves the cursor, and whether it goes on in the text. */
const MOVES: Readonly<Record<string, 'back' | 'on'>> = {
  Home: 'back',
  ArrowUp: 'back',
  PageUp: 'back',
  End: 'on',
  ArrowDown: 'on',
  PageDown: 'on',
};

/**
 * Before the browser moves away from a chosen value, icon or name, the cursor goes beside it.
 *
 * The editor learns of the browser's own moves a moment later: until then a letter would take the place of the value.
 */
export function leaveAtom({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Command {
  return ({ selection, doc, tr }, dispatch) => {
    const move = MOVES[key];
    if (!move || !(selection instanceof NodeSelection) || !selection.node.isInline) return false;
    const { from, to } = selection;
    const [anchor, head] = move === 'on' ? [from, to] : [to, from];
    dispatch?.(tr.setSelection(TextSelection.create(doc, shiftKey ? anchor : head, head)));
    return true;
  };
}
