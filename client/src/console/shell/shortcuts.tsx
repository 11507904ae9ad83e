import { type SheetNotes, ShortcutSheet } from '../../ui/commands/shortcut-sheet.tsx';
import { Popup } from '../../ui/popups/popup.tsx';
import { COMMANDS } from './commands.ts';

const LISTS: SheetNotes = {
  title: 'Lists and fields',
  notes: [
    ['↑ ↓ Home End', 'Walk a list; what is chosen shows beside it'],
    ['Enter', 'Keep what was typed in a field'],
    ['Esc', 'Leave a field as it was; close a window'],
    ['Ctrl+Enter', 'Run: a call, a query, a trial of the rules'],
    ['Delete', 'Delete the chosen document, user or file'],
  ],
};

/** Keyboard shortcuts. */
export function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Popup open={open} onClose={onClose} title="Keys" width={860}>
      <ShortcutSheet commands={COMMANDS} notes={[LISTS]} />
    </Popup>
  );
}
