import { expect, it } from 'vitest';
import { CURRENT_ANNOUNCEMENT } from '../../data/user-object/schema.ts';
import { ANNOUNCEMENTS, unseen } from './announcements.ts';

it.each([
  [0, [4, 3, 1]],
  [1, [4, 3]],
  [2, [4, 3]],
  [3, [4]],
  [4, []],
  [9, []],
])('who has seen number %s is shown those below %s', (seen, expected) => {
  expect(unseen(seen).map(({ below }) => below)).toEqual(expected);
});

it('covers the three topics of the current one', () => {
  expect(CURRENT_ANNOUNCEMENT).toBe(4);
  const words = ANNOUNCEMENTS[0]?.words ?? '';
  expect(words).toMatch(/base zone takes a colour and an image/i);
  expect(words).toMatch(/slash between two Ctrl\+Enters/);
  expect(words).toMatch(/text-stroke is deprecated in favour of text-shadow/);
  expect(ANNOUNCEMENTS.at(-1)?.title).toBe('Flex containers, update 9.6');
});
