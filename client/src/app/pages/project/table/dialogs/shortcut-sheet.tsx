import { ShortcutSheet as Sheet } from '../../../../../ui/commands/shortcut-sheet.tsx';
import { Popup } from '../../../../../ui/popups/popup.tsx';
import { GRID_KEYS, TABLE_COMMANDS } from '../commands.ts';

/** Keyboard shortcuts of the table. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Popup open={open} onClose={onClose} title="Keyboard shortcuts" width={860}>
      <Sheet commands={TABLE_COMMANDS} notes={[GRID_KEYS]} />
    </Popup>
  );
}
