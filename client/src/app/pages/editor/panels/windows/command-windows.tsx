import { TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { canRun } from '../../../../../ui/commands/command.ts';
import { KeyCap } from '../../../../../ui/commands/key-cap.tsx';
import { shownKeys } from '../../../../../ui/commands/keys.ts';
import { type SheetNotes, ShortcutSheet } from '../../../../../ui/commands/shortcut-sheet.tsx';
import { Popup } from '../../../../../ui/popups/popup.tsx';
import { COMMANDS, type Command, type CommandContext } from '../../commands.ts';
import css from './command-windows.module.css';
import { RealSize } from './real-size.tsx';

/** Commands whose words begin with what was typed, best first. */
function matching(query: string): Command[] {
  const words = query.trim().toLowerCase().split(/\s+/);
  return COMMANDS.filter(({ label, group }) => {
    const text = `${label} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function Palette({ context, onClose }: { context: CommandContext; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const found = matching(query).filter((command) => command.id !== 'palette' && canRun(command, context));
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run(context);
  };
  const go = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setChosen(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <TextInput
        // The dialog gives the focus to what asks for it when it opens.
        ref={(field) => field?.setAttribute('autofocus', '')}
        role="combobox"
        aria-label="Find a command"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[at] ? `${listId}-${found[at].id}` : undefined}
        placeholder="Align, add, zoom …"
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') go(at + 1);
          else if (event.key === 'ArrowUp') go(at - 1);
          else if (event.key === 'Enter') run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Commands" className={css.results}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={command.id}
            id={`${listId}-${command.id}`}
            role="option"
            aria-selected={index === at}
            className={css.result}
            onClick={() => run(command)}
            onPointerMove={() => setChosen(index)}
          >
            <span>{command.label}</span>
            <small>{command.group}</small>
            {command.keys?.[0] && <KeyCap keys={shownKeys(command.keys[0])} />}
          </div>
        ))}
        {found.length === 0 && <p className={css.nothing}>No command is called that.</p>}
      </div>
    </>
  );
}

const POINTER: SheetNotes = {
  title: 'Pointer',
  notes: [
    ['Shift and drag', 'Off the grid and its lines; keep proportions; turn freely'],
    ['Alt and drag', 'Leave the zone and drag a copy'],
    ['Shift and click', 'Add to the selection'],
    ['Drag beside a zone', 'Select what the rectangle touches'],
    ['Ctrl and wheel', 'Zoom to the cursor'],
    ['Space and drag', 'Move the view'],
    ['Drag out of a ruler', 'A guide; drag it off the card to remove it'],
    ['Double-click a text', 'Write in it'],
  ],
};

/** The palette of commands and the sheet of shortcuts, both from the one list of commands, and what commands open. */
export function CommandWindows({ context }: { context: CommandContext }) {
  const { model } = context;
  const panel = useStore(model.store, (state) => state.panel);
  const close = () => model.view({ panel: null });
  return (
    <>
      <Popup open={panel === 'palette'} onClose={close} title="Find a command" width={520}>
        <Palette context={context} onClose={close} />
      </Popup>
      <Popup open={panel === 'shortcuts'} onClose={close} title="Shortcuts" width={860}>
        <ShortcutSheet commands={COMMANDS} notes={[POINTER]} />
      </Popup>
      <Popup open={panel === 'real-size'} onClose={close} title="Real size on this screen" width={640}>
        <RealSize
          onDone={() => {
            close();
            context.view?.realSize();
          }}
        />
      </Popup>
    </>
  );
}
