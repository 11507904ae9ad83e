// @vitest-environment happy-dom
/** Screen readers and the spelling check learn the language of a cell from its attributes. */

import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Cell, type ColumnLook } from './cells.tsx';
import type { SheetCellProps } from './sheet.tsx';

afterEach(cleanup);

function shown(type: 'text' | 'number', language: string | undefined, editing: boolean): Element | null {
  const column = { key: 'text', name: 'Text', type };
  const look: ColumnLook = {
    column,
    short: true,
    overlay: false,
    shared: false,
    options: undefined,
    language,
  };
  const props = {
    row: { kind: 'card', id: 'a' },
    column: { key: 'text', name: 'Text', data: look },
    text: type === 'text' ? 'שלום' : '3',
    editing,
    readOnly: false,
    active: editing,
    write: () => undefined,
    stop: () => undefined,
  } as unknown as SheetCellProps;
  const { container } = render(<Cell {...props} />);
  return container.querySelector(editing ? 'textarea' : 'span > span');
}

test.each([false, true])('a text says its language and finds its direction itself, edited: %s', (editing) => {
  const cell = shown('text', 'he', editing);
  expect(cell?.getAttribute('lang')).toBe('he');
  expect(cell?.getAttribute('dir')).toBe('auto');
});

test.each([false, true])(
  'numbers, and texts whose language nobody said, are in none, edited: %s',
  (editing) => {
    for (const [type, language] of [
      ['number', 'he'],
      ['text', undefined],
    ] as const) {
      const cell = shown(type, language, editing);
      expect(cell).not.toBeNull();
      expect(cell?.hasAttribute('lang')).toBe(false);
      cleanup();
    }
  },
);
