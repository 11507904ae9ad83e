import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The sentences of the Ironsworn rulebook: assets, moves, oracles, foes, truths (CC BY 4.0, Datasworn).
 * For tests alone; nothing of it is built into the application.
 */

/** Shorter texts are table cells of a word or two, in which no line ever breaks. */
const MIN_LENGTH = 60;
/** Keys under which a rulebook keeps prose. */
const PROSE = new Set(['text', 'description', 'summary', 'quest_starter']);

export function ironswornTexts(): string[] {
  const file = createRequire(import.meta.url).resolve('@datasworn/ironsworn-classic/json/classic.json');
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') walk(inner);
      else if (PROSE.has(name) && inner.length >= MIN_LENGTH) found.add(asMarkup(inner));
    }
  };
  walk(JSON.parse(readFileSync(file, 'utf8')));
  return [...found];
}

/** The rulebook writes bold with underscores; placeholders for tables are not text. */
const asMarkup = (text: string): string =>
  text
    .replaceAll('__', '**')
    .replace(/\{\{[^}]*\}\}/g, '')
    .replace(/^ {2}(?=\* )/gm, '');
