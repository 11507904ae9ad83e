import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import css from '../panels.module.css';
import { MAX_AMOUNT_LENGTH, plainAmount, readAmount } from './amount.ts';

/** Steps per press of an arrow key while Shift is held. */
const COARSE_STEPS = 10;
/** Decimals shown and kept. */
const PRECISION = 1e4;

/** Numbers no further apart are one: lengths are rounded in millimetres and shown in other units. */
const SAME = 0.01;

const rounded = (value: number): number => Math.round(value * PRECISION) / PRECISION;

/**
 * A number with its unit. A sum is worked out when the field is left or Enter is pressed; the arrow keys count up
 * and down. Nothing is changed while the field holds no number, and what is out of bounds is brought within them.
 */
export function NumberField({
  label,
  value,
  unit = '',
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  whole = false,
  step = whole ? 1 : 0.5,
  deprecated,
  mixed = false,
  onStep,
  onChange,
}: {
  label: string;
  value: number;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  /** The value has no decimals. */
  whole?: boolean;
  /** Why it should no longer be used, and what to use in its place. */
  deprecated?: string;
  /** The value stands for several that differ, and none of them is shown. */
  mixed?: boolean;
  /** Called in place of `onChange` when an arrow key counts values that differ. */
  onStep?: ((by: number) => void) | undefined;
  onChange: (value: number) => void;
}) {
  /** Text being typed; undefined shows the value. */
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const shown = rounded(value);
  const within = (amount: number) => {
    const bounded = Math.min(max, Math.max(min, amount));
    return whole ? Math.round(bounded) : rounded(bounded);
  };
  const sent = useRef(shown);
  const change = (next: number) => {
    sent.current = next;
    if (mixed || next !== shown) onChange(next);
  };
  /** Applies a typed sum, or a number out of bounds, that has not been applied yet: to the zone it was typed for. */
  const waiting = useRef<() => void>(undefined);
  // When another zone is selected the field is removed before it loses the focus, and hears of no blur.
  useEffect(() => () => waiting.current?.(), []);
  // Somebody else has changed the value: that shows, and what was typed before is dropped.
  useEffect(() => {
    if (Math.abs(shown - sent.current) <= SAME) return;
    sent.current = shown;
    waiting.current = undefined;
    setTyped(undefined);
  }, [shown]);
  /** Takes what was typed; a field that is left shows what it stands for, or what stood before. */
  const take = (left: boolean) => {
    if (typed === undefined) return;
    const right = readAmount(typed, unit) !== undefined;
    waiting.current?.();
    waiting.current = undefined;
    setWrong(!right && !left);
    if (right || left) setTyped(undefined);
  };
  return (
    <TextInput
      size="xs"
      label={label}
      {...(deprecated && {
        labelProps: { 'data-deprecated': true, title: deprecated },
        description: 'Deprecated',
      })}
      role="spinbutton"
      inputMode="decimal"
      autoComplete="off"
      maxLength={MAX_AMOUNT_LENGTH}
      value={typed ?? (mixed ? '' : String(shown))}
      {...(mixed
        ? { placeholder: 'Mixed', 'aria-valuetext': 'Mixed' }
        : { 'aria-valuenow': shown, 'aria-valuetext': unit === '' ? String(shown) : `${shown} ${unit}` })}
      {...(Number.isFinite(min) && { 'aria-valuemin': rounded(min) })}
      {...(Number.isFinite(max) && { 'aria-valuemax': rounded(max) })}
      error={wrong && 'Not a number, nor a sum such as 10+5.5'}
      rightSection={unit === '' ? undefined : <span className={css.unit}>{unit}</span>}
      rightSectionPointerEvents="none"
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setWrong(false);
        const amount = readAmount(text, unit);
        const plain = amount !== undefined && amount === plainAmount(text, unit) && amount === within(amount);
        waiting.current = amount === undefined || plain ? undefined : () => change(within(amount));
        if (plain) change(amount);
      }}
      onBlur={() => {
        take(true);
        setWrong(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(false);
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        const from = (typed === undefined ? undefined : readAmount(typed, unit)) ?? shown;
        const by = step * (event.shiftKey ? COARSE_STEPS : 1);
        const to = event.key === 'ArrowUp' ? by : -by;
        waiting.current = undefined;
        setTyped(undefined);
        setWrong(false);
        if (mixed && typed === undefined && onStep) onStep(to);
        else change(within(from + to));
      }}
    />
  );
}
