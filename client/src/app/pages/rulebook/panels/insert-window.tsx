import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { canRun } from '../../../../ui/commands/command.ts';
import { Popup } from '../../../../ui/popups/popup.tsx';
import { INSERT_COMMANDS, INSERT_FILE, type RulebookContext } from '../commands/commands.ts';
import { INSERTS } from '../commands/inserts.ts';
import css from '../rulebook.module.css';

/** Everything that can be inserted at the cursor, found by a few letters. */
export function InsertWindow({
  open,
  context,
  onClose,
}: {
  open: boolean;
  context: RulebookContext | undefined;
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Insert" width={420}>
      {context && (
        <section data-tutorial="inserts">
          <InsertList context={context} onClose={onClose} />
        </section>
      )}
    </Popup>
  );
}

/** Everything in the list, with its command. */
const CHOICES = [
  ...INSERTS.map(({ id, label, hint, toFields = false }, place) => ({
    id,
    label,
    hint,
    toFields,
    command: INSERT_COMMANDS[place],
  })),
  {
    id: INSERT_FILE.id,
    label: INSERT_FILE.label,
    hint: 'A Word document, or Markdown',
    toFields: false,
    command: INSERT_FILE,
  },
];

function InsertList({ context, onClose }: { context: RulebookContext; onClose: () => void }) {
  const { view } = context;
  const toFields = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      // Only once the window is gone does the text, or the fields of what was inserted, take the cursor.
      if (toFields.current) toFields.current();
      else if (!view.isDestroyed) view.focus();
    },
    [view],
  );
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const found = CHOICES.filter(
    ({ label, hint, command }) =>
      `${label} ${hint}`.toLowerCase().includes(words.trim().toLowerCase()) &&
      command &&
      canRun(command, context),
  );
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const run = (place: number) => {
    const choice = found[place];
    if (!choice?.command) return;
    if (choice.toFields) toFields.current = context.toFields;
    onClose();
    choice.command.run(context);
  };
  const move = (by: number) => setAt((chosen + by + found.length) % Math.max(1, found.length));
  return (
    <>
      <TextInput
        label="Block or inline"
        placeholder="Table, term, page break…"
        data-autofocus
        value={words}
        aria-controls="inserts"
        aria-activedescendant={found[chosen] ? `insert-${found[chosen].id}` : undefined}
        role="combobox"
        aria-expanded
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div id="inserts" role="listbox" aria-label="Inserts" className={css.inserts}>
        {found.map(({ id, label, hint }, place) => (
          <div
            key={id}
            id={`insert-${id}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            ref={place === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onPointerDown={(event) => {
              event.preventDefault();
              run(place);
            }}
          >
            <strong>{label}</strong>
            <span>{hint}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={css.quiet}>Nothing of this name can stand here.</p>}
    </>
  );
}
