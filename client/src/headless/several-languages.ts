import path from 'node:path';
import { isSameLanguage } from '../core/translation/languages.ts';
import { StoreError } from './project/store.ts';

/**
 * The languages of an option such as `de,fr`, each once; one `undefined` where none is named.
 * @throws StoreError when there is nothing between its commas
 */
export function namedLanguages(option: string | undefined): readonly (string | undefined)[] {
  if (option === undefined) return [undefined];
  const tags = option
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  if (tags.length === 0)
    throw new StoreError('--language: name a language, such as de, or several, such as de,fr.');
  return tags.filter((tag, at) => tags.findIndex((other) => isSameLanguage(other, tag)) === at);
}

/** The file of one language among several: `game.pdf` becomes `game-de.pdf`. */
export function fileInLanguage(out: string, language: string): string {
  const { dir, name, ext } = path.parse(out);
  return path.join(dir, `${name}-${language.toLowerCase()}${ext}`);
}
