import { ColorInput, NativeSelect } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { parseColour } from '../../../../../core/scene/colour/colour.ts';
import { MAX_LENGTH_MM } from '../../../../../core/scene/style/paint.ts';
import { offeredColours } from '../../../../../data/user-object/palettes.ts';
import { useUserObject } from '../../../../../data/user-object/use-user-object.ts';
import { roundMm } from '../../geometry/snap.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import css from '../panels.module.css';
import { NumberField } from './number-field.tsx';
import { UNITS } from './units.ts';

/** Colours offered beside the picker, after those of the user's palette. */
const SWATCHES = ['#ffffff', '#fffaf0', '#1f2430', '#8d2b14', '#2f5d62', '#8a6a1f', '#6b4a8a', '#3d6b3a'];

/** A titled group of fields. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A titled group of fields that can be closed. */
export function FoldingSection({
  title,
  open,
  onToggle,
  children,
}: {
  title: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <section className={css.section} aria-label={title}>
      <h3>
        <button type="button" className={css.sectionToggle} aria-expanded={open} onClick={onToggle}>
          {title} <Icon size={15} aria-hidden />
        </button>
      </h3>
      {open && children}
    </section>
  );
}

/** Two fields beside each other. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={css.pair}>{children}</div>;
}

/** A length, in the unit the editor shows. */
export function LengthField({
  model,
  value,
  min = -MAX_LENGTH_MM,
  max = MAX_LENGTH_MM,
  onStep,
  onChange,
  ...rest
}: {
  label: string;
  model: EditorModel;
  /** Millimetres, as are `min`, `max` and what is answered. */
  value: number;
  min?: number;
  max?: number;
  deprecated?: string;
  /** The value stands for several that differ; `onStep` counts them, by millimetres. */
  mixed?: boolean;
  onStep?: ((mm: number) => void) | undefined;
  onChange: (mm: number) => void;
}) {
  const unit = useStore(model.store, (state) => state.unit);
  const { fromMm, toMm, step, decimals } = UNITS[unit];
  const shown = Number(fromMm(value).toFixed(decimals));
  return (
    <NumberField
      {...rest}
      unit={unit}
      step={step}
      value={shown}
      min={fromMm(min)}
      max={fromMm(max)}
      onStep={onStep && ((by) => onStep(roundMm(toMm(by))))}
      onChange={(next) => {
        // A value that was only rounded for display is not a change.
        if (rest.mixed || next !== shown) onChange(roundMm(toMm(next)));
      }}
    />
  );
}

/** Value of a choice that stands for several. */
const MIXED = '\u0000mixed';

/** One of a few values. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  mixed = false,
  onChange,
}: {
  label: string;
  value: T;
  /** The value stands for several that differ. */
  mixed?: boolean;
  options: readonly { readonly value: T; readonly label: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={mixed ? MIXED : value}
      data={[...(mixed ? [{ value: MIXED, label: 'Mixed', disabled: true }] : []), ...options]}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    />
  );
}

/** None at all is a choice too. */
const isColour = (text: string): boolean => text.trim() === '' || parseColour(text) !== undefined;

/** A colour as text, with a picker. */
export function ColorField({
  label,
  value,
  mixed = false,
  onChange,
}: {
  label: string;
  value: string;
  /** The value stands for several that differ. */
  mixed?: boolean;
  onChange: (value: string) => void;
}) {
  const own = offeredColours(useUserObject().userObject);
  // Last valid colour, restored when the field is left with an invalid one. The input's own correction works from the
  // last render, which lags behind fast typing, and knows no colour names.
  const colour = useRef(value);
  /** Text in place of several colours, until it is one: it must not become the colour of them all. */
  const [typed, setTyped] = useState<string>();
  return (
    <ColorInput
      size="xs"
      label={label}
      value={typed ?? (mixed ? '' : value)}
      {...(mixed && { placeholder: 'Mixed' })}
      format="hexa"
      swatches={[...new Set([...own, ...SWATCHES])]}
      eyeDropperButtonProps={{ 'aria-label': `Pick ${label.toLowerCase()} from the screen` }}
      fixOnBlur={false}
      onFocus={() => {
        colour.current = value;
      }}
      onChange={(next) => {
        const isWhole = !mixed || (isColour(next) && next.trim() !== '');
        setTyped(isWhole ? undefined : next);
        if (!isWhole) return;
        if (isColour(next)) colour.current = next;
        onChange(next);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        if (typed === undefined && !isColour(event.currentTarget.value)) onChange(colour.current);
      }}
    />
  );
}
