import type { AbsentCard, Project } from './context.ts';
import type { Block } from './schema.ts';
import { allBlocks, inlinesOf } from './walk.ts';

/** Name of a card that nobody has chosen yet. */
export const NO_CARD = '?';

/** Reason for which a card cannot be shown, and the remedy. */
export function absentWords(name: string, absent: AbsentCard | undefined): string {
  if (name === NO_CARD) return 'This row of cards shows no card yet: choose one.';
  if (absent?.reason === 'no-layout') {
    return `The card ${name} cannot be shown, because its component no longer has a layout: choose a layout for it, or another card.`;
  }
  const other = absent?.instead === undefined ? '' : `, such as ${absent.instead}`;
  return `The project has no card ${name}: choose another one${other}, or remove it.`;
}

/** A use of a card that cannot be shown. */
export interface AbsentUse {
  readonly block: string;
  readonly name: string;
  readonly message: string;
  /** A card of the project that may take its place. */
  readonly instead: string | undefined;
}

/** The cards that blocks show or name and that are not there, each once for a block. */
export function absentCards(blocks: readonly Block[], { absent }: Pick<Project, 'absent'>): AbsentUse[] {
  if (!absent) return [];
  return [...allBlocks(blocks)].flatMap((block) => {
    const named = inlinesOf(block)
      .flat()
      .flatMap((inline) =>
        // A name alone needs no layout.
        inline.type === 'card' && absent.get(inline.name)?.reason === 'gone' ? [inline.name] : [],
      );
    const shown = block.type === 'cards' ? block.names.filter((name) => absent.has(name)) : [];
    return [...new Set([...named, ...shown])].map((name): AbsentUse => {
      const one = absent.get(name);
      return { block: block.id, name, message: absentWords(name, one), instead: one?.instead };
    });
  });
}
