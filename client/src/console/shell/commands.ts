import type { Command } from '../../ui/commands/command.ts';
import { PAGES } from './pages.ts';

interface ConsoleContext {
  readonly open: (dialog: 'go-to' | 'shortcuts') => void;
  readonly navigate: (to: string) => unknown;
}

const filterField = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-filter]');

const GO_TO: Command<ConsoleContext> = {
  id: 'go-to',
  label: 'Go to a page, a collection, a document or a function',
  group: 'Everywhere',
  keys: ['Ctrl+K'],
  inFields: true,
  run: ({ open }) => open('go-to'),
};

const FILTER: Command<ConsoleContext> = {
  id: 'filter',
  label: 'To the filter of the page',
  group: 'Everywhere',
  // Some keyboards need Shift for it.
  keys: ['/', 'Shift+/'],
  when: () => filterField() !== null,
  run: () => filterField()?.focus(),
};

const SHORTCUTS: Command<ConsoleContext> = {
  id: 'shortcuts',
  label: 'This list',
  group: 'Everywhere',
  keys: ['?', 'Shift+?'],
  run: ({ open }) => open('shortcuts'),
};

const OPEN_PAGES = PAGES.map(
  ({ to, label }, index): Command<ConsoleContext> => ({
    id: `open-${label}`,
    label,
    group: 'Pages',
    keys: [`Alt+${index + 1}`],
    inFields: true,
    run: ({ navigate }) => navigate(to),
  }),
);

/** Commands of every page of the console. */
export const COMMANDS: readonly Command<ConsoleContext>[] = [GO_TO, FILTER, SHORTCUTS, ...OPEN_PAGES];
