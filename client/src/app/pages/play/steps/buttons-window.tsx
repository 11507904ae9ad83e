import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { buttonFault, MAX_BUTTONS, type Step } from '../../../../core/play/protocol/buttons.ts';
import { MAX_NAME } from '../../../../core/play/protocol/limits.ts';
import type { Act } from '../../../../core/play/protocol/messages.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import type { Outcome } from '../../../../data/play/connection.ts';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import css from './buttons.module.css';
import { StepsEditor } from './steps-editor.tsx';
import { useSteps } from './use-steps.ts';

interface ButtonsProps {
  readonly view: TableView;
  readonly act: (act: Act) => Promise<Outcome>;
  readonly onClose: () => void;
}

/** Writes the buttons of a table: lists of steps, each of which is done at once and taken back at once. */
export function ButtonsWindow({ open, ...props }: ButtonsProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Buttons" width={680}>
      <Buttons {...props} />
    </Popup>
  );
}

function Buttons({ view, act, onClose }: ButtonsProps) {
  const names = Object.keys(view.table.buttons ?? {});
  const [chosen, setChosen] = useState<string | undefined>(names[0]);
  return (
    <>
      <div className={css.chooser}>
        <NativeSelect
          label="Button"
          value={chosen ?? ''}
          data={[
            ...names.map((name) => ({ value: name, label: name })),
            { value: '', label: 'A new button' },
          ]}
          onChange={({ currentTarget: { value } }) => setChosen(value === '' ? undefined : value)}
        />
        {names.length >= MAX_BUTTONS && <p>A table has at most {MAX_BUTTONS} buttons.</p>}
      </div>
      <ButtonForm key={chosen ?? ''} view={view} name={chosen} act={act} onClose={onClose} />
    </>
  );
}

function ButtonForm({ view, name: before, act, onClose }: ButtonsProps & { name: string | undefined }) {
  const known = before === undefined ? undefined : view.table.buttons?.[before];
  const [name, setName] = useState(before ?? '');
  const { steps, editor } = useSteps(view, known?.steps);
  const [busy, setBusy] = useState(false);
  const taken = new Set(Object.keys(view.table.buttons ?? {}).filter((one) => one !== before));
  const fault = buttonFault(name, steps, taken);
  const edit = (of: string, button: { readonly steps: readonly Step[] } | null) =>
    act({ verb: 'edit', edit: { button: { name: of, button } } });
  const keep = async () => {
    setBusy(true);
    const { ok } = await edit(name.trim(), { steps });
    if (ok && before !== undefined && before !== name.trim()) await edit(before, null);
    setBusy(false);
    if (ok) onClose();
  };
  const remove = async () => {
    if (before === undefined) return;
    setBusy(true);
    const { ok } = await edit(before, null);
    setBusy(false);
    if (ok) onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined) void keep();
      }}
    >
      <TextInput
        label="Name"
        maxLength={MAX_NAME}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <StepsEditor {...editor} fault={fault} />
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        {before !== undefined && (
          <Button variant="default" disabled={busy} onClick={() => void remove()}>
            Delete
          </Button>
        )}
        <Button type="submit" loading={busy} disabled={fault !== undefined}>
          {before === undefined ? 'Add the button' : 'Keep'}
        </Button>
      </PopupActions>
    </form>
  );
}
