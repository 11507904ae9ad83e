import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  buttonFault,
  fitting,
  isStepKind,
  MAX_BUTTONS,
  mostOf,
  newStep,
  type Part,
  partOf,
  partsOf,
  STEP_KINDS,
  type Step,
  type Stock,
  stockOf,
  withMost,
  withPart,
} from '../../../core/play/buttons.ts';
import { MAX_NAME, MAX_STEPS, MAX_TEXT } from '../../../core/play/limits.ts';
import type { Act } from '../../../core/play/messages.ts';
import type { TableView } from '../../../core/play/view.ts';
import type { Outcome } from '../../../data/play/connection.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './buttons.module.css';
import { PartField } from './part-field.tsx';
import { PlaceFields } from './place-fields.tsx';

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
  const [steps, setSteps] = useState<readonly Step[]>(known?.steps ?? []);
  const [busy, setBusy] = useState(false);
  const parts = useMemo(() => partsOf(view), [view]);
  const stock = useMemo(() => stockOf(view), [view]);
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
      <StepList parts={parts} stock={stock} steps={steps} onChange={setSteps} />
      <p className={css.fault} role="status">
        {fault}
      </p>
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

function StepList({
  parts,
  stock,
  steps,
  onChange,
}: {
  parts: readonly Part[];
  stock: readonly Stock[];
  steps: readonly Step[];
  onChange: (steps: readonly Step[]) => void;
}) {
  const swap = (at: number, other: number) => {
    const [one, two] = [steps[at], steps[other]];
    if (one && two) onChange(steps.map((step, index) => (index === at ? two : index === other ? one : step)));
  };
  const offered = STEP_KINDS.filter(({ value }) => newStep(value, parts, stock) !== undefined);
  return (
    <>
      <ol className={css.steps} aria-label="Steps">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be alike
          <li key={at}>
            <StepFields
              step={step}
              parts={parts}
              stock={stock}
              offered={offered}
              onChange={(next) => onChange(steps.map((known, index) => (index === at ? next : known)))}
            />
            <span className={css.tools}>
              <button
                type="button"
                aria-label={`Step ${at + 1} earlier`}
                disabled={at === 0}
                onClick={() => swap(at, at - 1)}
              >
                <ArrowUp size={15} aria-hidden />
              </button>
              <button
                type="button"
                aria-label={`Step ${at + 1} later`}
                disabled={at === steps.length - 1}
                onClick={() => swap(at, at + 1)}
              >
                <ArrowDown size={15} aria-hidden />
              </button>
              <button
                type="button"
                aria-label={`Remove step ${at + 1}`}
                onClick={() => onChange(steps.filter((_, index) => index !== at))}
              >
                <Trash2 size={15} aria-hidden />
              </button>
            </span>
          </li>
        ))}
      </ol>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Plus size={15} aria-hidden />}
        disabled={steps.length >= MAX_STEPS || offered.length === 0}
        onClick={() => {
          const step = newStep(offered[0]?.value ?? 'say', parts, stock);
          if (step) onChange([...steps, step]);
        }}
      >
        Add a step
      </Button>
    </>
  );
}

function StepFields({
  step,
  parts,
  stock,
  offered,
  onChange,
}: {
  step: Step;
  parts: readonly Part[];
  stock: readonly Stock[];
  offered: typeof STEP_KINDS;
  onChange: (step: Step) => void;
}) {
  const part = partOf(step);
  const most = mostOf(step);
  const repeats =
    step.do !== 'deal' && step.do !== 'wait-for-host' && step.do !== 'phase' && step.do !== 'say';
  return (
    <div className={css.step}>
      <NativeSelect
        aria-label="What the step does"
        value={step.do}
        data={[...offered]}
        onChange={({ currentTarget: { value } }) => {
          const next = isStepKind(value) ? newStep(value, parts, stock) : undefined;
          if (next) onChange(next);
        }}
      />
      {part && (
        <PartField
          label={step.do === 'deal' || step.do === 'move' ? 'From' : 'Of'}
          part={part}
          parts={fitting(step.do, parts)}
          onChange={(next) => onChange(withPart(step, next))}
        />
      )}
      {step.do === 'move' && (
        <PartField
          label="To"
          part={step.to.into}
          parts={fitting(step.do, parts)}
          onChange={(into) => onChange({ ...step, to: { into } })}
        />
      )}
      {step.do === 'place' && (
        <PlaceFields step={step} parts={fitting(step.do, parts)} stock={stock} onChange={onChange} />
      )}
      {most !== null && (
        <NumberInput
          aria-label="Pieces"
          placeholder={step.do === 'place' ? 'As in the box' : 'All pieces'}
          min={1}
          allowDecimal={false}
          value={most ?? ''}
          onChange={(value) => onChange(withMost(step, typeof value === 'number' ? value : undefined))}
        />
      )}
      {step.do === 'set' && (
        <NumberInput
          aria-label="Value"
          allowDecimal={false}
          value={step.value}
          onChange={(value) => onChange({ ...step, value: typeof value === 'number' ? value : 0 })}
        />
      )}
      {step.do === 'say' && (
        <TextInput
          aria-label="Line"
          placeholder="A new round begins"
          maxLength={MAX_TEXT}
          value={step.text}
          onChange={({ currentTarget: { value } }) => onChange({ ...step, text: value })}
        />
      )}
      {step.do === 'phase' && (
        <TextInput
          aria-label="Phase"
          placeholder="Harvest"
          maxLength={MAX_NAME}
          value={step.phase}
          onChange={({ currentTarget: { value } }) => onChange({ ...step, phase: value })}
        />
      )}
      {repeats && (
        <Checkbox
          label="For each player"
          checked={step.each_seat === true}
          onChange={({ currentTarget: { checked } }) => onChange({ ...step, each_seat: checked })}
        />
      )}
    </div>
  );
}
