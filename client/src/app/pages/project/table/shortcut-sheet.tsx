import { Popup } from '../../../../ui/popups/popup.tsx';
import css from './dialogs.module.css';

const KEYS: readonly (readonly [string, string])[] = [
  ['Arrows, Tab', 'Move; with Ctrl to the edge, with Shift select'],
  ['Enter, F2, any letter', 'Edit the cell'],
  ['Alt+Enter, Ctrl+Enter', 'New line within the cell'],
  ['Escape', 'Leave the cell as it was; then leave the table'],
  ['Ctrl+C, X, V', 'Copy, cut and paste, with spreadsheets too'],
  ['Delete', 'Empty the selected cells'],
  ['Ctrl+D', 'Fill the selection from its first row'],
  ['Ctrl+A', 'Select everything'],
  ['Ctrl+F', 'Find and replace'],
  ['Ctrl+Z, Ctrl+Y', 'Undo and redo'],
  ['Shift+Enter', 'New card below'],
  ['Ctrl+Enter on a cell', 'Open the card'],
  ['Alt+Shift+Up, Down', 'Move cards'],
  ['Ctrl+Backspace', 'Delete cards'],
  ['Shift+F10', 'Menu of the row'],
];

/** Keyboard shortcuts of the table. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Popup open={open} onClose={onClose} title="Keyboard shortcuts" width={560}>
      <dl className={css.keys}>
        {KEYS.map(([keys, what]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Popup>
  );
}
