// @vitest-environment happy-dom
/** A formula as it is written by keys: what is offered, what is taken, and when a fault is told. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { FormulaInput } from './formula-input.tsx';

// A field that grows with its text waits for fonts, which this document has not.
Object.assign(document, { fonts: new EventTarget() });

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Panel({ onKey }: { onKey?: () => void }) {
  const [value, setValue] = useState('');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the field leaves to the page
    <div onKeyDown={onKey}>
      <MantineProvider>
        <FormulaInput
          label="Formula"
          value={value}
          names={[
            { name: 'Cost', detail: '3' },
            { name: 'Attack power', detail: '7' },
          ]}
          fault={value.endsWith('*') ? 'Something is missing here.' : undefined}
          result="= 3"
          onChange={setValue}
        />
      </MantineProvider>
    </div>
  );
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Formula');
function type(text: string) {
  fireEvent.change(field(), {
    target: { value: text, selectionStart: text.length, selectionEnd: text.length },
  });
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const key = (name: string, more: object = {}) => fireEvent.keyDown(field(), { key: name, ...more });

test('what is typed offers columns with their values, and Enter takes the one that is marked', () => {
  render(<Panel />);
  type('2 * at');
  expect(options()[0]).toBe('Attack power7');
  expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
  expect(field().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id);
  key('Enter');
  expect(field().value).toBe('2 * [Attack power]');
  expect(field().selectionStart).toBe(field().value.length);
  expect(options()).toEqual([]);
});

test('arrows go round, Tab takes too, and Escape closes the list alone', () => {
  const onKey = vi.fn();
  render(<Panel onKey={onKey} />);
  type('u');
  const [first, second] = options();
  expect(second).toBeDefined();
  key('ArrowUp');
  key('ArrowDown');
  key('ArrowDown');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe(second);
  onKey.mockClear();
  key('Escape');
  expect(onKey).not.toHaveBeenCalled();
  expect(options()).toEqual([]);
  key('Escape');
  expect(onKey).toHaveBeenCalledOnce();
  type('up');
  expect(options()[0]).toMatch(/^upper/);
  key('Tab');
  expect(field().value).toBe('upper(');
  expect(screen.getByText('upper(text)')).toBeDefined();
  expect(first).toBeDefined();
});

test('Tab leaves the field where the word is whole already', () => {
  render(<Panel />);
  type('2 * cost');
  expect(options()[0]).toBe('Cost3');
  // A key that nobody takes is the browser’s.
  expect(key('Tab')).toBe(true);
  expect(field().value).toBe('2 * cost');
  type('2 * cos');
  expect(key('Tab')).toBe(false);
  expect(field().value).toBe('2 * Cost');
});

test('all of them are shown by the button and by Ctrl+Space', () => {
  render(<Panel />);
  fireEvent.click(screen.getByRole('button', { name: 'Columns and functions' }));
  expect(options().length).toBeGreaterThan(20);
  fireEvent.click(screen.getByRole('option', { name: /^Cost/ }));
  expect(field().value).toBe('Cost');
  type('Cost + ');
  expect(options()).toEqual([]);
  key(' ', { ctrlKey: true });
  expect(options().length).toBeGreaterThan(20);
});

test('a fault is told when the typing pauses, and goes at once', () => {
  vi.useFakeTimers();
  render(<Panel />);
  type('Cost *');
  expect(screen.queryByText('Something is missing here.')).toBeNull();
  act(() => vi.advanceTimersByTime(1_000));
  screen.getByText('Something is missing here.');
  type('Cost * 2');
  expect(screen.queryByText('Something is missing here.')).toBeNull();
  screen.getByText('= 3');
});
