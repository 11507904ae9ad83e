import { expect, it } from 'vitest';
import { searchTopics } from './search.ts';

const topics = [
  { title: 'Print', words: 'Choose the **paper**.' },
  { title: 'Paper', words: '- thick\n- thin' },
  { title: 'Keys', words: '| Key | Does |\n| P | print |' },
];
const titles = (query: string) => searchTopics(topics, query).map(({ title }) => title);

it('finds what holds every word, titles first', () => {
  expect(titles('')).toEqual(['Print', 'Paper', 'Keys']);
  expect(titles('PAPER')).toEqual(['Paper', 'Print']);
  expect(titles('print key')).toEqual(['Keys']);
  expect(titles('thin thick')).toEqual(['Paper']);
  expect(titles('glue')).toEqual([]);
});
