import { ColorInput, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { tidy } from '../geometry/snap.ts';
import css from './panels.module.css';

/** Colours offered beside the picker. */
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

/** Two fields beside each other. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={css.pair}>{children}</div>;
}

/** A number with its unit. Nothing is changed while the field holds no number. */
export function NumberField({
  label,
  value,
  unit,
  min,
  max,
  step = 0.5,
  onChange,
}: {
  label: string;
  value: number;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  onChange: (value: number) => void;
}) {
  return (
    <NumberInput
      size="xs"
      label={label}
      value={tidy(value)}
      step={step}
      decimalScale={3}
      {...(unit && { suffix: ` ${unit}` })}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      onChange={(next) => {
        if (typeof next === 'number' && Number.isFinite(next)) onChange(next);
      }}
    />
  );
}

/** One of a few values. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { readonly value: T; readonly label: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={options.map((option) => ({ ...option }))}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    />
  );
}

/** A colour as text, with a picker. */
export function ColorField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <ColorInput
      size="xs"
      label={label}
      value={value}
      format="hexa"
      swatches={SWATCHES}
      eyeDropperButtonProps={{ 'aria-label': `Pick ${label.toLowerCase()} from the screen` }}
      onChange={onChange}
    />
  );
}
