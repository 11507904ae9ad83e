import { parseProse, plainText } from '../../prose/parse.ts';
import type { Topic } from './topics.ts';

function textOf({ title, words }: Topic): string {
  const blocks = parseProse(words).map((block) => {
    if (block.kind === 'figure') return '';
    if (block.kind === 'list') return block.items.map(plainText).join(' ');
    if (block.kind === 'table') return block.rows.flat().map(plainText).join(' ');
    return plainText(block.content);
  });
  return [title, ...blocks].join(' ').toLowerCase();
}

/** Topics that hold every word looked for, those with them in the title first. */
export function searchTopics(topics: readonly Topic[], query: string): readonly Topic[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return topics;
  const found = topics.filter((topic) => {
    const text = textOf(topic);
    return wanted.every((word) => text.includes(word));
  });
  const inTitle = ({ title }: Topic) => wanted.some((word) => title.toLowerCase().includes(word));
  return [...found.filter(inTitle), ...found.filter((topic) => !inTitle(topic))];
}
