// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { MarkupContext } from '../../core/text/markup/braces.ts';
import { MarkupField } from './markup-field.tsx';

const settings = vi.hoisted(() => ({ variableHighlight: true }));
vi.mock('../../data/user-object/use-user-object.ts', () => ({
  useUserObject: () => ({ userObject: settings }),
}));
// The DOM of the tests measures no letters.
window.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never;
afterEach(cleanup);

const CONTEXT: MarkupContext = {
  variables: [],
  columns: [{ key: 'cost', name: 'Cost' }],
  cells: {},
};

function Example() {
  const [text, setText] = useState('Pay {Cost}');
  return (
    <MantineProvider>
      <MarkupField
        label="Text"
        value={text}
        context={CONTEXT}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </MantineProvider>
  );
}
const marks = () =>
  [...document.querySelectorAll<HTMLElement>('mark')].map((one) => `${one.dataset.known} ${one.textContent}`);

test('variables are marked as they are typed, names that nothing answers to otherwise', () => {
  settings.variableHighlight = true;
  render(<Example />);
  expect(marks()).toEqual(['true {Cost}']);
  fireEvent.change(screen.getByLabelText('Text'), { target: { value: '{Cost} and {Corst}' } });
  expect(marks()).toEqual(['true {Cost}', 'false {Corst}']);
  // The text behind the field says what the field says, so that its marks lie under their letters.
  expect(document.querySelector('[aria-hidden]')?.textContent?.replace('\u200b', '')).toBe(
    '{Cost} and {Corst}',
  );
});

test('nothing is marked when the account says so', () => {
  settings.variableHighlight = false;
  render(<Example />);
  expect(marks()).toEqual([]);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Pay {Cost}');
});
