// @vitest-environment happy-dom
/** A number field as it is typed in, left and taken away. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { NumberField } from './number-field.tsx';

afterEach(cleanup);

let numbers: Record<string, number>;

/** The width of whichever zone is selected. */
function Panel({ zone, min, max }: { zone: string; min?: number; max?: number }) {
  const [, redraw] = useState(0);
  return (
    <MantineProvider>
      <NumberField
        key={zone}
        label="Width"
        unit="mm"
        value={numbers[zone] ?? 0}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        onChange={(next) => {
          numbers[zone] = next;
          redraw((count) => count + 1);
        }}
      />
    </MantineProvider>
  );
}

function open(min?: number, max?: number) {
  numbers = { a: 20, b: 30 };
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  const { rerender } = render(<Panel zone="a" {...bounds} />);
  return (zone: string) => rerender(<Panel zone={zone} {...bounds} />);
}
const field = () => screen.getByLabelText<HTMLInputElement>('Width');
const type = (value: string) => fireEvent.change(field(), { target: { value } });

test('a plain number is taken while it is typed, a sum when the field is left', () => {
  open();
  type('25');
  expect(numbers).toEqual({ a: 25, b: 30 });
  type('25+5.5');
  expect(numbers['a']).toBe(25);
  fireEvent.blur(field());
  expect(numbers['a']).toBe(30.5);
  expect(field().value).toBe('30.5');
});

test('what was typed for one zone goes to that zone, also when another is selected at once', () => {
  const select = open();
  type('10+5.5');
  select('b');
  fireEvent.blur(field());
  expect(numbers).toEqual({ a: 15.5, b: 30 });
  expect(field().value).toBe('30');
});

test('what somebody else makes of it meanwhile shows, and is not undone by leaving the field', () => {
  const select = open();
  type('25');
  numbers['a'] = 50;
  select('a');
  expect(field().value).toBe('50');
  fireEvent.blur(field());
  expect(numbers['a']).toBe(50);
});

test('what is out of bounds is brought within them, once the field is left', () => {
  open(1, 100);
  type('500');
  expect(numbers['a']).toBe(20);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(numbers['a']).toBe(100);
});

test('what is no number changes nothing, and is said when it is entered', () => {
  open();
  type('wide');
  fireEvent.keyDown(field(), { key: 'Enter' });
  screen.getByText(/Not a number/);
  fireEvent.blur(field());
  expect(field().value).toBe('20');
  expect(numbers['a']).toBe(20);
});
