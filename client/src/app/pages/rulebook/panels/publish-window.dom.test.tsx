// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RulebookError } from '../../../../core/book/document/error.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { PagesRequest, RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { PublishWindow } from './publish-window.tsx';

vi.mock('../../../../data/versions/of-print.ts', () => ({ versionOfPrint: async () => undefined }));
vi.mock('../../../../data/rulebooks/read-edition.ts', () => ({ readShare: async () => undefined }));
vi.mock('../../../../data/site/site.ts', () => ({ isOn: () => true, useSite: () => ({}) }));
vi.mock('../../../../data/rulebooks/publish.ts', () => ({
  publish: async () => {
    throw new RulebookError('This text is not published. The fault is in “Take a card”.', { block: 'b7' });
  },
  unpublish: async () => undefined,
}));

const LANGUAGES = ['de', 'fr'];
const setter = {
  illustrate: async (_: unknown, { onProgress }: { onProgress: (progress: object) => void }) => {
    for (let done = 0; done <= 40; done++) onProgress({ done, total: 40 });
    return [];
  },
} as unknown as RulebookSetter;

test('a refused publication leads to the block that has the fault', async () => {
  const onBlock = vi.fn();
  const inLanguage = vi.fn((language: string) => ({
    language,
    texts: {},
    counts: { missing: 1, stale: 2, done: 0 },
    unprinted: 1,
  }));
  const onClose = vi.fn();
  render(
    <MantineProvider>
      <PublishWindow
        open
        project={{ id: 'p' } as Project}
        rulebook="r"
        link=""
        mayEdit
        setter={setter}
        languages={LANGUAGES}
        inLanguage={inLanguage}
        request={() => ({ doc: {}, project: {} }) as PagesRequest}
        onBlock={onBlock}
        onClose={onClose}
      />
    </MantineProvider>,
  );
  (await screen.findByText('Publish', { selector: 'button, button *' })).click();
  await screen.findByText(/The fault is in “Take a card”/);
  (await screen.findByText('Show it in the text')).click();
  await waitFor(() => expect(onBlock).toHaveBeenCalledWith('b7'));
  expect(onClose).toHaveBeenCalled();
  // Each step of progress draws the window, and works no translation out again.
  expect(inLanguage).toHaveBeenCalledTimes(LANGUAGES.length);
  expect(screen.getByText('German, 1 missing, 2 stale; readers see the source of 2 texts')).toBeDefined();
});
