import { Popup } from '../../ui/popups/popup.tsx';
import css from './shortcuts.module.css';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Go to a page, a collection, a document or a function'],
  ['Alt 1 … Alt 8', 'Open a page by its place'],
  ['/', 'To the filter of the page'],
  ['↑ ↓ Home End', 'Walk a list; what is chosen shows beside it'],
  ['Enter', 'Keep what was typed in a field'],
  ['Esc', 'Leave a field as it was; close a window'],
  ['Ctrl Enter', 'Run: a call, a query, a trial of the rules'],
  ['Delete', 'Delete the chosen document, user or file'],
  ['?', 'This list'],
];

/** Keyboard shortcuts. */
export function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Popup open={open} onClose={onClose} title="Keys" width={520}>
      <dl className={css.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Popup>
  );
}
