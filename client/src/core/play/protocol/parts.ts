import type { Handle, Shown } from './messages.ts';

/** A part of the table by its name; `own` is that of the seat that the step is done for. */
export interface PartRef {
  readonly name: string;
  readonly own?: boolean;
}

/** A part of the table that steps can name. */
export interface Part {
  readonly name: string;
  /** Each seat has one. */
  readonly own: boolean;
  readonly is: 'container' | 'die' | 'piece';
}

const RANK = { container: 0, die: 1, piece: 2 };

/** Parts each once: piles and areas first. */
export function sortedParts(all: readonly Part[]): readonly Part[] {
  const parts = new Map(all.map((part) => [partKey(part), part]));
  return [...parts.values()].sort((a, b) => RANK[a.is] - RANK[b.is] || a.name.localeCompare(b.name));
}

/** Parts with names. */
export function partsOf({ pieces }: { readonly pieces: ReadonlyMap<Handle, Shown> }): readonly Part[] {
  const parts: Part[] = [];
  for (const { name, container, kind } of pieces.values()) {
    if (name === undefined || name === '') continue;
    const is = container ? 'container' : kind === 'die' ? 'die' : 'piece';
    parts.push({ name, own: container?.owner !== undefined, is });
  }
  return sortedParts(parts);
}

export const partKey = ({ name, own }: PartRef): string => `${own === true ? 'own' : 'any'} ${name}`;
export const partWords = ({ name, own }: PartRef): string => (own === true ? `${name} of the player` : name);
export const refOf = ({ name, own }: Pick<Part, 'name' | 'own'>): PartRef => ({
  name,
  ...(own && { own }),
});
