import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Check, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  fitting,
  isStepKind,
  kindOf,
  mostOf,
  newStep,
  partOf,
  STEP_KINDS,
  type Step,
  type Supply,
  setValueOf,
  withMade,
  withMost,
  withPart,
  withValue,
} from '../../../../core/play/protocol/buttons.ts';
import { MAX_NAME, MAX_STEPS, MAX_TEXT } from '../../../../core/play/protocol/limits.ts';
import type { Part } from '../../../../core/play/protocol/parts.ts';
import { stepWords } from '../../../../core/play/set-up/step-words.ts';
import { AmountField } from './amount-field.tsx';
import css from './buttons.module.css';
import { FormulaHelp } from './formula-help.tsx';
import { PartField } from './part-field.tsx';
import { PlaceFields } from './place-fields.tsx';
import { type Listed, listed } from './use-steps.ts';

/** The steps of a button or of a set-up: each in words, with its fields where it is changed. */
export function StepsEditor({
  parts: there,
  supply,
  steps,
  fault,
  onChange,
  inWords = false,
}: {
  /** Parts that lie on the table. */
  parts: readonly Part[];
  supply: Supply;
  steps: readonly Listed[];
  /** Why they cannot be kept. */
  fault: string | undefined;
  onChange: (steps: readonly Listed[]) => void;
  /** True to show fields only of the step that is being changed. */
  inWords?: boolean;
}) {
  const [changed, setChanged] = useState<number>();
  const parts = withMade(
    there,
    steps.map(({ step }) => step),
  );
  const swap = (at: number, other: number) => {
    const [one, two] = [steps[at], steps[other]];
    if (one && two) onChange(steps.map((step, index) => (index === at ? two : index === other ? one : step)));
  };
  const offered = STEP_KINDS.filter(({ value }) => newStep(value, parts, supply) !== undefined);
  return (
    <>
      <ol className={css.steps} aria-label="Steps">
        {steps.map(({ key, step }, at) => (
          <li key={key}>
            <div className={inWords && changed !== key ? css.line : undefined}>
              {inWords && changed !== key ? (
                <p className={css.words}>{stepWords(step, supply)}</p>
              ) : (
                <StepFields
                  step={step}
                  parts={parts}
                  supply={supply}
                  offered={offered}
                  onChange={(next) =>
                    onChange(steps.map((known) => (known.key === key ? { key, step: next } : known)))
                  }
                />
              )}
              <StepTools
                at={at}
                last={steps.length - 1}
                {...(inWords && {
                  changing: changed === key,
                  onEdit: () => setChanged(changed === key ? undefined : key),
                })}
                onMove={(other) => swap(at, other)}
                onRemove={() => onChange(steps.filter((known) => known.key !== key))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Plus size={15} aria-hidden />}
        disabled={steps.length >= MAX_STEPS || offered.length === 0}
        onClick={() => {
          const step = newStep(offered[0]?.value ?? 'say', parts, supply);
          if (!step) return;
          const added = listed(step);
          onChange([...steps, added]);
          setChanged(added.key);
        }}
      >
        Add a step
      </Button>
      <FormulaHelp />
      <p className={css.fault} role="status">
        {fault}
      </p>
    </>
  );
}

function StepTools({
  at,
  last,
  changing,
  onEdit,
  onMove,
  onRemove,
}: {
  at: number;
  last: number;
  changing?: boolean;
  onEdit?: () => void;
  onMove: (other: number) => void;
  onRemove: () => void;
}) {
  return (
    <span className={css.tools}>
      {onEdit && (
        <button
          type="button"
          aria-label={changing ? `Finish step ${at + 1}` : `Change step ${at + 1}`}
          onClick={onEdit}
        >
          {changing ? <Check size={15} aria-hidden /> : <Pencil size={15} aria-hidden />}
        </button>
      )}
      <button
        type="button"
        aria-label={`Step ${at + 1} earlier`}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      >
        <ArrowUp size={15} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={`Step ${at + 1} later`}
        disabled={at === last}
        onClick={() => onMove(at + 1)}
      >
        <ArrowDown size={15} aria-hidden />
      </button>
      <button type="button" aria-label={`Remove step ${at + 1}`} onClick={onRemove}>
        <Trash2 size={15} aria-hidden />
      </button>
    </span>
  );
}

interface FieldsProps {
  readonly step: Step;
  readonly parts: readonly Part[];
  readonly supply: Supply;
  readonly offered: typeof STEP_KINDS;
  readonly onChange: (step: Step) => void;
}

function StepFields({ step, parts, supply, offered, onChange }: FieldsProps) {
  const kind = kindOf(step);
  const part = partOf(step);
  const repeats =
    step.do !== 'deal' &&
    step.do !== 'wait-for-host' &&
    step.do !== 'phase' &&
    step.do !== 'say' &&
    step.do !== 'note' &&
    step.seat === undefined;
  return (
    <div className={css.step}>
      <NativeSelect
        aria-label="What the step does"
        value={kind}
        data={[...offered]}
        onChange={({ currentTarget: { value } }) => {
          const next = isStepKind(value) ? newStep(value, parts, supply) : undefined;
          if (next) onChange(next);
        }}
      />
      {part && (
        <PartField
          label={step.do === 'deal' || step.do === 'move' ? 'From' : 'Of'}
          part={part}
          parts={fitting(kind, parts)}
          onChange={(next) => onChange(withPart(step, next))}
        />
      )}
      {step.do === 'move' && 'into' in step.to && (
        <PartField
          label="To"
          part={step.to.into}
          parts={fitting(kind, parts)}
          onChange={(into) => onChange({ ...step, to: { into } })}
        />
      )}
      {step.do === 'place' && (
        <PlaceFields step={step} parts={fitting(kind, parts)} supply={supply} onChange={onChange} />
      )}
      <NumberOf step={step} parts={parts} onChange={onChange} />
      <TextOf step={step} onChange={onChange} />
      {repeats && (
        <Checkbox
          label={kind === 'make' ? 'For each seat' : 'For each player'}
          checked={step.each_seat === true}
          onChange={({ currentTarget: { checked } }) => onChange({ ...step, each_seat: checked })}
        />
      )}
    </div>
  );
}

function NumberOf({ step, parts, onChange }: Pick<FieldsProps, 'step' | 'parts' | 'onChange'>) {
  const most = mostOf(step);
  if (step.do === 'set') {
    return (
      <AmountField
        label="Value"
        count={setValueOf(step)}
        parts={parts}
        of="value"
        onChange={(value) => value && onChange(withValue(step, value))}
      />
    );
  }
  if (most === null) return null;
  const all = step.do === 'place' && 'pieces' in step.place ? 'As in the box' : 'All pieces';
  return (
    <AmountField
      // Another thing to place begins with its own number.
      key={step.do === 'place' ? Object.keys(step.place).join() : step.do}
      label="Pieces"
      {...(step.do !== 'deal' && { placeholder: all })}
      count={most}
      parts={parts}
      of="pieces"
      onChange={(count) => onChange(withMost(step, count))}
    />
  );
}

function TextOf({ step, onChange }: Pick<FieldsProps, 'step' | 'onChange'>) {
  if (step.do === 'say' || step.do === 'note') {
    const isNote = step.do === 'note';
    return (
      <TextInput
        size="sm"
        aria-label={isNote ? 'Text of the note' : 'Line'}
        placeholder={isNote ? 'The first to ten points wins' : 'A new round begins'}
        maxLength={MAX_TEXT}
        value={step.text}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, text: value })}
      />
    );
  }
  if (step.do !== 'phase') return null;
  return (
    <TextInput
      size="sm"
      aria-label="Phase"
      placeholder="Harvest"
      maxLength={MAX_NAME}
      value={step.phase}
      onChange={({ currentTarget: { value } }) => onChange({ ...step, phase: value })}
    />
  );
}
