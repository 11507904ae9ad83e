import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { commandOf, runShortcut, shownKeys, spell } from './keys.ts';

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test.each([
  [{ key: 'z', ctrlKey: true }, 'Ctrl+Z'],
  [{ key: 'z', metaKey: true }, 'Ctrl+Z'],
  [{ key: 'Z', ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+Z'],
  [{ key: 'Å', code: 'KeyA', altKey: true }, 'Alt+A'],
  [{ key: '¡', code: 'Digit1', altKey: true }, 'Alt+1'],
  [{ key: 'ArrowUp', altKey: true, shiftKey: true }, 'Alt+Shift+ArrowUp'],
  [{ key: '?', shiftKey: true }, 'Shift+?'],
])('%j is spelled %s', (pressed, spelled) => {
  expect(spell({ ...NONE, ...pressed })).toBe(spelled);
});

test.each([
  ['Alt+Shift+ArrowUp', 'Alt+Shift+Up'],
  ['ContextMenu', 'Menu'],
  ['Ctrl+Backspace', 'Ctrl+Backspace'],
])('%s is shown as %s', (keys, shown) => {
  expect(shownKeys(keys)).toBe(shown);
});

test('a command runs by its keys where it can', () => {
  const ran: string[] = [];
  const commands: Command<{ ready: boolean }>[] = [
    { id: 'a', label: 'A', group: 'G', keys: ['Ctrl+A'], run: () => void ran.push('a') },
    {
      id: 'b',
      label: 'B',
      group: 'G',
      keys: ['B'],
      when: ({ ready }) => ready,
      run: () => void ran.push('b'),
    },
  ];
  const b = { ...NONE, key: 'b' };
  expect(commandOf(commands, b)?.id).toBe('b');
  expect(runShortcut(commands, b, { ready: false })).toBe(false);
  expect(runShortcut(commands, b, { ready: true })).toBe(true);
  expect(runShortcut(commands, { ...NONE, key: 'a' }, { ready: true })).toBe(false);
  expect(runShortcut(commands, { ...NONE, key: 'a', ctrlKey: true }, { ready: false })).toBe(true);
  expect(ran).toEqual(['b', 'a']);
});
