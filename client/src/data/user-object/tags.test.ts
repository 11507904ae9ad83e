import { expect, test } from 'vitest';
import { activeTags, knownTags, MAX_KNOWN_TAGS, toggledTag, withTags } from './tags.ts';

test('tags are known once, whatever their letters’ case; entries of another form stay', () => {
  const stored = { tags: ['Backs', { name: 'Poker', colour: 'red' }, 7] };
  expect(knownTags(stored)).toEqual(['Backs', 'Poker']);
  const next = withTags(stored, ['backs', 'poker', 'New']);
  expect(next.tags).toEqual([...stored.tags, 'New']);
});

test('of too many tags the newest stay', () => {
  const { tags } = withTags(
    { tags: [] },
    Array.from({ length: MAX_KNOWN_TAGS + 5 }, (_, i) => `t${i}`),
  );
  expect(tags).toHaveLength(MAX_KNOWN_TAGS);
  expect(tags.at(-1)).toBe(`t${MAX_KNOWN_TAGS + 4}`);
});

test('a tag narrows the list until it is chosen again', () => {
  const once = toggledTag({ activeTags: [] }, 'Backs');
  expect(activeTags(once)).toEqual(['Backs']);
  expect(activeTags(toggledTag(once, 'Backs'))).toEqual([]);
});
