import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_NAME, MAX_TEXT, MAX_VALUE } from '../../../../core/play/protocol/limits.ts';
import type { Act } from '../../../../core/play/protocol/messages.ts';
import { ShortcutSheet } from '../../../../ui/commands/shortcut-sheet.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { DANGER } from '../../../../ui/theme/theme.ts';
import { SHEET_COMMANDS } from '../commands/commands.ts';
import type { Asked, PlayContext } from '../commands/play-context.ts';
import { ButtonsWindow } from '../steps/buttons-window.tsx';
import { SetUpWindow } from '../steps/set-up-window.tsx';
import { EndWindow } from './end-window.tsx';
import { FeedbackWindow } from './feedback-window.tsx';
import { PlacesWindow } from './places-window.tsx';

/** Most cards dealt to each at once. */
const MAX_DEAL = 99;

const NOTES = [
  {
    title: 'On a selection',
    notes: [
      ['1 to 9', 'draw that many from a pile'],
      ['Alt+Arrows', 'move by 5 mm, with Shift by 1 mm; on the felt without Alt'],
      ['Ctrl+Arrows', 'move to the next space of a board'],
    ],
  },
  {
    title: 'Pointer',
    notes: [
      ['Drag', 'move; from the middle of a pile its top card, from its rim the pile'],
      ['Double click', 'turn over; roll a die, draw from a pile, open a note'],
      ['Shift click', 'select one more; drag on the felt selects several'],
      ['Space drag', 'move the view; the wheel zooms'],
      ['Hold M', 'measure from the pointer; letting go shows everybody the place'],
      ['Escape', 'give a drag up'],
      ['Right click', 'everything that can be done; on a touch screen let a finger rest'],
    ],
  },
  {
    title: 'List of pieces',
    notes: [
      ['Arrows', 'go through it'],
      ['Enter', 'menu of the piece'],
    ],
  },
] as const;

interface Form {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly act: (value: string) => Act | undefined;
  readonly first: string;
  readonly field: FieldOf;
}

/** The field of a form: a text, or a whole number within bounds. */
type FieldOf =
  | { readonly of: 'text'; readonly label: string; readonly most: number; readonly lines: boolean }
  | { readonly of: 'number'; readonly label: string; readonly min: number; readonly max: number }
  | { readonly of: 'words'; readonly words: string };

const text = (label: string, most: number, lines = true): FieldOf => ({ of: 'text', label, most, lines });
const number = (label: string, min: number, max: number): FieldOf => ({ of: 'number', label, min, max });

function Field({ field, value, set }: { field: FieldOf; value: string; set: (value: string) => void }) {
  if (field.of === 'words') return <p>{field.words}</p>;
  if (field.of === 'number') {
    return (
      <NumberInput
        label={field.label}
        min={field.min}
        max={field.max}
        allowDecimal={false}
        data-autofocus
        value={value === '' ? '' : Number(value)}
        onChange={(next) => set(String(next))}
      />
    );
  }
  const shared = {
    label: field.label,
    value,
    maxLength: field.most,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
  return field.lines ? <Textarea rows={4} {...shared} /> : <TextInput {...shared} />;
}

function formOf(
  asked: Exclude<Asked, { ask: 'shortcuts' | 'end' | 'feedback' | 'buttons' | 'edit-set-up' | 'places' }>,
  { eye }: PlayContext,
): Form {
  switch (asked.ask) {
    case 'note':
      return {
        title: asked.note ? 'Note' : 'New note',
        action: asked.note ? 'Change' : 'Lay it on the table',
        first: asked.text,
        field: text('Text', MAX_TEXT),
        act: (value) => {
          if (value.trim() === '') return undefined;
          if (asked.note) return { verb: 'note', text: value, pieces: [asked.note] };
          const { x, y } = eye.freeSpot(700, 500);
          return { verb: 'note', text: value, to: { surface: 0, x: Math.round(x), y: Math.round(y) } };
        },
      };
    case 'remark':
      return {
        title: 'Pin a remark',
        action: 'Pin',
        first: '',
        field: text('Everybody reads it in the log', MAX_TEXT),
        act: (value) =>
          value.trim() === '' ? undefined : { verb: 'mark', text: value, pieces: asked.pieces },
      };
    case 'deal':
      return {
        title: 'Deal to everybody',
        action: 'Deal',
        first: '5',
        field: number('Cards for each', 1, MAX_DEAL),
        act: (value) => ({ verb: 'deal', into: asked.from, count: Math.max(1, Number(value) || 1) }),
      };
    case 'value':
      return {
        title: 'Set a value',
        action: 'Set',
        first: String(asked.value),
        field: number('Value', -MAX_VALUE, MAX_VALUE),
        act: (value) => ({ verb: 'set', pieces: asked.pieces, value: Math.round(Number(value) || 0) }),
      };
    case 'name':
      return {
        title: 'Your name at the table',
        action: 'Change',
        first: asked.name,
        field: text('Name', MAX_NAME, false),
        act: (value) => (value.trim() === '' ? undefined : { verb: 'name', name: value.trim() }),
      };
    case 'set-up':
      return {
        title: 'Set the table up anew?',
        action: 'Set up anew',
        danger: true,
        first: '',
        field: {
          of: 'words',
          words:
            'Everything goes back into the box, hands too, and comes out as at the beginning, shuffled anew.',
        },
        act: () => ({ verb: 'restore', to: 'setup' }),
      };
  }
}

/** The window that a command asks in. */
export function AskedWindow({
  asked,
  context,
  table,
  onClose,
}: {
  asked: Asked;
  context: PlayContext;
  table: string;
  onClose: () => void;
}) {
  if (asked.ask === 'shortcuts') {
    return (
      <Popup open onClose={onClose} title="Keyboard shortcuts" width={760}>
        <ShortcutSheet commands={SHEET_COMMANDS} notes={NOTES} />
      </Popup>
    );
  }
  if (asked.ask === 'buttons') {
    return <ButtonsWindow open view={context.view} act={context.act} onClose={onClose} />;
  }
  if (asked.ask === 'edit-set-up') return <SetUpWindow context={context} onClose={onClose} />;
  if (asked.ask === 'places') return <PlacesWindow context={context} onClose={onClose} />;
  if (asked.ask === 'feedback') {
    return <FeedbackWindow open table={table} view={context.view} onClose={onClose} />;
  }
  if (asked.ask === 'end') return <EndWindow context={context} onClose={onClose} />;
  return <AskedForm form={formOf(asked, context)} context={context} onClose={onClose} />;
}

function AskedForm({ form, context, onClose }: { form: Form; context: PlayContext; onClose: () => void }) {
  const [value, setValue] = useState(form.first);
  const [busy, setBusy] = useState(false);
  const act = form.act(value);
  return (
    <Popup open onClose={onClose} title={form.title} width={420}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!act) return;
          setBusy(true);
          const { ok } = await context.act(act);
          setBusy(false);
          if (ok) onClose();
        }}
      >
        <Field field={form.field} value={value} set={setValue} />
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={!act} {...(form.danger && { color: DANGER })}>
            {form.action}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
