import { wordsDiff } from '../comparison/words-diff.ts';
import { LIMITS } from '../document/limits.ts';
import type { Block } from '../document/schema.ts';
import { allBlocks } from '../document/walk.ts';
import type { CardText, Finding } from './checks.ts';

/** Longest stretch of a card's text in a message. */
const MAX_SHOWN = 60;

/** The text of a card as an example keeps it. */
export const seenText = (text: string): string => text.slice(0, LIMITS.seenText);

/** Texts of cards by every name that means one; of several cards with one name, of the first. */
export function textsByName(cards: readonly CardText[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { name, also, text } of cards) {
    for (const one of also === undefined ? [name] : [name, also]) if (!texts.has(one)) texts.set(one, text);
  }
  return texts;
}

/** Examples with cards that have changed since somebody last wrote in them. */
export function outdatedExamples(blocks: readonly Block[], cards: readonly CardText[]): Finding[] {
  const now = textsByName(cards);
  return [...allBlocks(blocks)].flatMap((block): Finding[] => {
    if (block.type !== 'callout' || block.kind !== 'example') return [];
    return (block.seen ?? []).flatMap(({ name, text }): Finding[] => {
      const current = now.get(name);
      if (current === undefined || seenText(current) === text) return [];
      const message = `The card ${name} has changed since this example was written: ${changeWords(text, seenText(current))}. Read the example again: mark it as still correct, or change it.`;
      return [{ code: 'example-outdated', block: block.id, message, holds: true }];
    });
  });
}

/** The first change of a card's text, in words. */
function changeWords(before: string, after: string): string {
  const changes = wordsDiff(before, after);
  const at = changes.findIndex(({ change }) => change !== 'same');
  const [first, second] = [changes[at], changes[at + 1]];
  const removed = [first, second].find((one) => one?.change === 'removed')?.text.trim() ?? '';
  const added = [first, second].find((one) => one?.change === 'added')?.text.trim() ?? '';
  if (removed === '' && added === '') return 'its lines are divided in another way';
  if (removed === '') return `it says “${shown(added)}” besides`;
  if (added === '') return `“${shown(removed)}” is gone`;
  return `“${shown(removed)}” is “${shown(added)}” now`;
}

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).trimEnd()}…` : line;
};
