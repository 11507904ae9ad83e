// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { test, vi } from 'vitest';
import { RULEBOOK_VERSION } from '../../../core/book/document/schema.ts';
import { EDITION_VERSION, type Edition } from '../../../core/book/edition/edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { ChangesWindow } from './changes-window.tsx';

const edition = (number: number): Edition => ({
  version: EDITION_VERSION,
  number,
  name: '',
  at: 1,
  book: { version: RULEBOOK_VERSION, title: 'T', subtitle: '', language: 'en', blocks: [] },
  cards: [],
  icons: [],
  figures: [],
  values: [],
  components: [],
});
vi.mock('../../../data/rulebooks/read-edition.ts', () => ({ readEdition: async () => edition(1) }));

test('an edition without a name begins a sentence with a capital', async () => {
  const before = { number: 1, name: '', at: 1 } as NonNullable<Published['before']>;
  render(
    <MantineProvider>
      <ChangesWindow open edition={edition(2)} before={before} onClose={() => undefined} />
    </MantineProvider>,
  );
  await screen.findByText(/^Edition 1 was published on/);
  screen.getByText('Changed since edition 1');
});
