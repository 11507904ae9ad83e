// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type Block, RULEBOOK_VERSION } from '../../../core/book/document/schema.ts';
import { EDITION_VERSION, type Edition } from '../../../core/book/edition/edition.ts';
import { Blocks } from './book-blocks.tsx';
import { Book, bookContext } from './book-context.ts';

afterEach(cleanup);

function shown(language: string, blocks: readonly Block[], of: Partial<Edition> = {}) {
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
    ...of,
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

test('a list of components has a column of pictures only where one has a picture', () => {
  const list: Block[] = [{ type: 'live', id: 'l', show: 'components' }];
  const components = [
    { name: 'Finds', count: 24, card: 'Cockle' },
    { name: 'Tides', count: 6 },
  ];
  const cells = (of: Partial<Edition>) =>
    [...shown('en-gb', list, { components, ...of }).container.querySelectorAll('tr')].map(
      (row) => row.children.length,
    );
  expect(cells({})).toEqual([2, 2]);
  cleanup();
  const card = { name: 'Cockle', address: 'https://files.example/cockle.png', w: 63, h: 88, alt: '' };
  expect(cells({ cards: [card] })).toEqual([3, 3]);
});

test('the table as a game begins has the number of each part on the picture and in the list below', () => {
  const picture = {
    name: '',
    address: 'https://files.example/table.webp',
    w: 1_600,
    h: 800,
    alt: '1: 24 × Finds',
  };
  const legend = [
    { words: '24 × Finds', x: 0, y: 0 },
    { words: 'Finds discard', x: 0.5, y: 0.25 },
  ];
  const table: Block[] = [{ type: 'live', id: 'l', show: 'setup' }];
  const { container, getAllByRole, getByRole } = shown('en-gb', table, { setUp: { picture, legend } });
  expect(getByRole('img').getAttribute('alt')).toBe('1: 24 × Finds');
  expect(getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '24 × Finds',
    'Finds discard',
  ]);
  const numbers = [...container.querySelectorAll<HTMLElement>('span[aria-hidden]')];
  expect(numbers.map(({ textContent, style }) => [textContent, style.left, style.top])).toEqual([
    ['1', '0%', '0%'],
    ['2', '50%', '25%'],
  ]);
  cleanup();
  expect(shown('en-gb', table).container.textContent).toBe('');
});

test('cells of a table are aligned with their column', () => {
  const cell = (text: string) => [{ type: 'text' as const, text }];
  const { container } = shown('en', [
    {
      type: 'table',
      id: 't',
      caption: [],
      headRows: 1,
      align: ['left', 'right'],
      rows: [
        [cell('Card'), cell('Points')],
        [cell('Ebb'), cell('2')],
      ],
    },
  ]);
  const right = [...container.querySelectorAll('[data-align="right"]')].map(({ textContent }) => textContent);
  expect(right).toEqual(['Points', '2']);
});
