import { expect, test } from 'vitest';
import type { Block } from '../../../core/book/document/schema.ts';
import { BlockChanged, withBlocks } from './texts.ts';

const block = (id: string, text = id): Block => ({
  ...{ type: 'paragraph', id, content: [{ type: 'text', text }] },
});
const act = (id: string, value: Block | null, was: Block | null, ...behind: string[]) =>
  ({ kind: 'block', rulebook: 'r', block: id, value, was, behind }) as const;
const ids = (blocks: readonly Block[]) => blocks.map(({ id }) => id);

test('new blocks stand behind the nearest one that the project has, or first', () => {
  const [a, b] = [block('a'), block('b')];
  const made = withBlocks(
    [a, b],
    [act('n', block('n'), null, 'gone', 'a'), act('m', block('m'), null, 'n', 'gone', 'a')],
  );
  expect(ids(made)).toEqual(['a', 'n', 'm', 'b']);
  expect(ids(withBlocks([a, b], [act('n', block('n'), null, 'gone')]))).toEqual(['n', 'a', 'b']);
  expect(ids(withBlocks([], [act('n', block('n'), null)]))).toEqual(['n']);
});

test('blocks are changed and deleted where they stand, and only as they were shown', () => {
  const [a, b] = [block('a'), block('b')];
  const next = block('b', 'other');
  expect(withBlocks([a, b], [act('b', next, b), act('a', null, a)])).toEqual([next]);
  expect(() => withBlocks([a, next], [act('b', null, b)])).toThrow(BlockChanged);
  expect(() => withBlocks([a], [act('b', next, b)])).toThrow(BlockChanged);
  expect(() => withBlocks([a, b], [act('b', next, null)])).toThrow(BlockChanged);
});
