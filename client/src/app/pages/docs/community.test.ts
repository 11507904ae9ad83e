import { expect, test } from 'vitest';
import { community } from '../../../data/site/community.ts';
import { communityTopic } from './community.ts';
import { searchTopics } from './search.ts';
import { TOPICS } from './topics.ts';

test('a server that names nobody and no chat says so, and what its operator can do about it', () => {
  const { words } = communityTopic({});
  expect(words).toContain('Somebody who has not entered a name runs this one.');
  expect(words).toContain('This server has no chat.');
  expect(words).toContain('`chatUrl`');
});

test('what the operator has said is all there', () => {
  const chatUrl = 'https://chat.example/room';
  const { words } = communityTopic({ chatUrl, operator: 'Salt Press', contact: 'ask@example.com' });
  expect(words).toContain('**Salt Press** runs this one and can be reached at');
  expect(words).toContain('[ask@example.com](mailto:ask@example.com)');
  expect(words).toContain(`[${chatUrl}](${chatUrl})`);
  expect(words).not.toMatch(/no chat|`chatUrl`/);
});

test('links lead to the chat, else to the page, which can be found', () => {
  expect(community({ chatUrl: 'https://chat.example' })).toMatchObject({
    address: 'https://chat.example',
    elsewhere: true,
  });
  expect(community({})).toEqual({ label: 'Community', address: '/docs#community', elsewhere: false });
  const found = searchTopics([...TOPICS, communityTopic({})], 'report fault');
  expect(found.map(({ title }) => title)).toContain('Community');
});
