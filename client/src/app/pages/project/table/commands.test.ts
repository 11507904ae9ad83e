import { beforeEach, describe, expect, test } from 'vitest';
import { canRun } from '../../../../ui/commands/command.ts';
import { runShortcut } from '../../../../ui/commands/keys.ts';
import { ROW_MENU, TABLE_COMMANDS, type TableContext } from './commands.ts';

let calls: unknown[][];
const SELECTION = { fromRow: 2, toRow: 3, fromColumn: 0, toColumn: 1 };

const actions = new Proxy({} as TableContext['actions'], {
  get:
    (_, name) =>
    (...given: unknown[]) =>
      void calls.push([name, ...given]),
});

const context = (change: Partial<TableContext> = {}): TableContext => ({
  selection: SELECTION,
  fromMenu: false,
  onCells: true,
  chosen: [2, 3],
  cards: ['fox', 'owl'],
  readOnly: false,
  inOrder: true,
  actions,
  ...change,
});

const press = (key: string, held: Partial<KeyboardEvent> = {}, change: Partial<TableContext> = {}): boolean =>
  runShortcut(
    TABLE_COMMANDS,
    { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held },
    context(change),
  );

const menu = (change: Partial<TableContext> = {}): string[] =>
  ROW_MENU.flat()
    .filter((command) => canRun(command, context({ fromMenu: true, ...change })))
    .map(({ label, menuLabel }) => menuLabel ?? label);

beforeEach(() => {
  calls = [];
});

describe('keys', () => {
  test('no two commands share a shortcut', () => {
    const keys = TABLE_COMMANDS.flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([
    ['z', { ctrlKey: true }, ['undo']],
    ['y', { metaKey: true }, ['redo']],
    ['Z', { ctrlKey: true, shiftKey: true }, ['redo']],
    ['h', { ctrlKey: true }, ['find']],
    ['d', { ctrlKey: true }, ['fillDown', SELECTION]],
    ['Backspace', { ctrlKey: true }, ['remove', [2, 3]]],
    ['ArrowUp', { altKey: true, shiftKey: true }, ['move', [2, 3], -1]],
    ['Enter', { shiftKey: true }, ['addCard', 3]],
    ['Enter', { ctrlKey: true }, ['openCard', 'fox']],
    ['F10', { shiftKey: true }, ['openMenu']],
    ['ContextMenu', {}, ['openMenu']],
  ])('%s with %j', (key, held, call) => {
    expect(press(key, held)).toBe(true);
    expect(calls).toEqual([call]);
  });

  test('while a cell is typed into, the cell has the keys but for undo', () => {
    expect(press('d', { ctrlKey: true }, { onCells: false })).toBe(false);
    expect(press('Enter', { ctrlKey: true }, { onCells: false })).toBe(false);
    expect(press('z', { ctrlKey: true }, { onCells: false, selection: undefined })).toBe(true);
  });

  test('cards of a sorted table have no order to be moved in', () => {
    expect(press('ArrowUp', { altKey: true, shiftKey: true }, { inOrder: false })).toBe(false);
  });
});

describe('the menu of the rows', () => {
  test('has what the rows allow', () => {
    const several = ['Insert card below', 'Duplicate', 'Move up', 'Move down', 'Clear cells', 'Delete'];
    expect(menu()).toEqual(several);
    expect(menu({ cards: ['fox'] })).toEqual(['Open card', ...several]);
    expect(menu({ inOrder: false })).toEqual(['Insert card below', 'Duplicate', 'Clear cells', 'Delete']);
    expect(menu({ cards: ['fox'], readOnly: true })).toEqual(['Open card']);
  });
});
