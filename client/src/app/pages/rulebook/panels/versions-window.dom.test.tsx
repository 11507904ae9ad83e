// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { emptyDoc } from '../../../../core/book/prose/steps.ts';
import { writeVersion } from '../../../../core/book/prose/versions.ts';
import { editorState } from '../state/editor-state.ts';
import { VersionsWindow } from './versions-window.tsx';

const stored = vi.hoisted(() => ({ reads: [] as (number | undefined)[], names: new Map<number, string>() }));
vi.mock('../../../../data/rulebooks/versions.ts', async (actual) => ({
  ...(await actual<object>()),
  // Two at once, of the versions after 4, 3, 2 and 1 changes.
  readVersions: async (_project: object, _rulebook: string, before?: number) => {
    stored.reads.push(before);
    const newest = (before ?? 5) - 1;
    const text = writeVersion(emptyDoc());
    const versions = [newest, newest - 1].map((number) => ({
      number,
      name: stored.names.get(number) ?? '',
      by: 'a',
      at: 1,
      text,
    }));
    return { versions, more: newest > 2 };
  },
  nameVersion: async (_project: object, _rulebook: string, number: number, name: string) => {
    stored.names.set(number, name);
  },
}));

afterEach(cleanup);

test('an earlier version that is renamed stays chosen, and no text is read again', async () => {
  render(
    <MantineProvider>
      <VersionsWindow
        open
        project={{} as never}
        rulebook="r"
        editor={{} as never}
        state={editorState(emptyDoc(), 'a')}
        mayEdit
        nameOf={() => 'Ann'}
        onClose={() => undefined}
      />
    </MantineProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Earlier versions', hidden: true }));
  fireEvent.click(await screen.findByText('After 1 changes'));
  const field = screen.getByLabelText('Its name');
  fireEvent.change(field, { target: { value: 'First draft' } });
  await act(async () => fireEvent.blur(field));
  const chosen = document.querySelector('[aria-pressed="true"] b');
  expect(chosen?.textContent).toBe('First draft');
  expect(document.querySelectorAll('[aria-pressed]')).toHaveLength(4);
  expect(stored.reads).toEqual([undefined, 3]);
});
