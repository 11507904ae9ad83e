import { NumberInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import css from './print.module.css';

/** A length in millimetres. */
export function LengthField({
  label,
  value,
  min = 0,
  max,
  step = 1,
  onChange,
}: {
  label: string;
  value: number;
  min?: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
}) {
  return (
    <NumberInput
      label={label}
      suffix=" mm"
      min={min}
      max={max}
      step={step}
      decimalScale={2}
      clampBehavior="strict"
      value={value}
      onChange={(next) => typeof next === 'number' && Number.isFinite(next) && onChange(next)}
    />
  );
}

/** A labelled row for a control that is not an input, named by its label. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={css.field}>
      <span id={id}>{label}</span>
      {children(id)}
    </div>
  );
}

/** A group of options that can be closed. */
export function Section({
  title,
  hint,
  open = false,
  children,
}: {
  title: string;
  /** Current setting, in a word. */
  hint?: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className={css.section} open={open}>
      <summary>
        {title}
        {hint && <small>{hint}</small>}
      </summary>
      <div className={css.fields}>{children}</div>
    </details>
  );
}
