// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { EDITION_VERSION, type Edition } from '../../../core/book/edition.ts';
import { type Block, RULEBOOK_VERSION } from '../../../core/book/schema.ts';
import { Blocks } from './book-blocks.tsx';
import { Book, bookContext } from './book-context.ts';

afterEach(cleanup);

function shown(language: string, blocks: readonly Block[]) {
  const edition: Edition = {
    version: EDITION_VERSION,
    number: 1,
    name: '',
    at: 1,
    book: { version: RULEBOOK_VERSION, title: 'T', subtitle: '', language, blocks },
    cards: [],
    icons: [],
    figures: [],
    values: [],
    components: [],
  };
  const nothing = { onCard: () => undefined, onTerm: () => undefined };
  return render(
    <Book value={bookContext(edition, nothing)}>
      <Blocks blocks={blocks} />
    </Book>,
  );
}

test('a callout without a title of its own has that of its kind in the language of the text, as in print', () => {
  const callout = (id: string, title: string): Block => ({
    type: 'callout',
    id,
    kind: 'faq',
    title,
    blocks: [{ type: 'paragraph', id: `${id}-text`, content: [] }],
  });
  const { getAllByRole } = shown('de-at', [callout('a', ''), callout('b', 'Und nun?')]);
  expect(getAllByRole('complementary').map(({ ariaLabel, textContent }) => ariaLabel ?? textContent)).toEqual(
    ['Frage', 'Und nun?'],
  );
});
