import type { Block } from '../document/schema.ts';
import { allBlocks, inlinesOf } from '../document/walk.ts';
import type { AbsentCard, Project } from '../typesetting/context.ts';

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

const cardsNamedIn = (block: Block): string[] =>
  inlinesOf(block)
    .flat()
    .flatMap((inline) => (inline.type === 'card' ? [inline.name] : []));
const cardsShownIn = (block: Block): readonly string[] => (block.type === 'cards' ? block.names : []);

/** The cards that blocks show or name and that are not there, each once for a block. */
export function absentCards(blocks: readonly Block[], { absent }: Pick<Project, 'absent'>): AbsentUse[] {
  if (!absent) return [];
  return [...allBlocks(blocks)].flatMap((block) => {
    // A name alone needs no layout.
    const named = cardsNamedIn(block).filter((name) => absent.get(name)?.reason === 'gone');
    const shown = cardsShownIn(block).filter((name) => absent.has(name));
    return [...new Set([...named, ...shown])].map((name): AbsentUse => {
      const one = absent.get(name);
      return { block: block.id, name, message: absentWords(name, one), instead: one?.instead };
    });
  });
}

/** A use of a name that several cards have. */
export interface SharedUse extends AbsentUse {
  /** The name that means the same card, and no other. */
  readonly instead: string;
}

/** Names in blocks that several cards have, each once for a block. */
export function sharedNames(blocks: readonly Block[], { shared }: Pick<Project, 'shared'>): SharedUse[] {
  if (!shared) return [];
  return [...allBlocks(blocks)].flatMap((block) =>
    [...new Set([...cardsNamedIn(block), ...cardsShownIn(block)])].flatMap((name): SharedUse[] => {
      const [instead, ...others] = shared.get(name) ?? [];
      if (instead === undefined) return [];
      const message = `${others.length + 1} cards are called ${name}; the first, ${instead}, is meant here. Use that name, or choose ${alternatives(others)}.`;
      return [{ block: block.id, name, message, instead }];
    }),
  );
}

/** Most other cards of a name that are named. */
const MAX_OTHERS = 3;
const alternatives = (names: readonly string[]): string =>
  names.length > MAX_OTHERS ? `${names.slice(0, MAX_OTHERS).join(', ')} or another` : names.join(' or ');
