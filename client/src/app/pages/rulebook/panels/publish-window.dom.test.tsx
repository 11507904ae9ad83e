// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RulebookError } from '../../../../core/book/error.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { PagesRequest, RulebookSetter } from '../../../../workers/rulebook-setter.ts';
import { PublishWindow } from './publish-window.tsx';

vi.mock('../../../../data/rulebooks/read-edition.ts', () => ({ readShare: async () => undefined }));
vi.mock('../../../../data/site.ts', () => ({ isOn: () => true, useSite: () => ({}) }));
vi.mock('../../../../data/rulebooks/publish.ts', () => ({
  publish: async () => {
    throw new RulebookError('This text is not published. The fault is in “Take a card”.', { block: 'b7' });
  },
  unpublish: async () => undefined,
}));

test('a refused publication leads to the block that has the fault', async () => {
  const onBlock = vi.fn();
  const onClose = vi.fn();
  const setter = { illustrate: async () => [] } as unknown as RulebookSetter;
  render(
    <MantineProvider>
      <PublishWindow
        open
        project={{ id: 'p' } as Project}
        rulebook="r"
        link=""
        mayEdit
        setter={setter}
        languages={[]}
        inLanguage={(language) => ({
          language,
          texts: {},
          counts: { missing: 0, stale: 0, done: 0 },
          unprinted: 0,
        })}
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
});
