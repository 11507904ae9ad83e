import { LIMITS } from '../document/limits.ts';
import type { Block, List, ListItem } from '../document/schema.ts';

/** A paragraph of a list, at its level. */
export interface FlatItem {
  readonly level: number;
  readonly marker: List['marker'];
  readonly blocks: Block[];
}

/** Deepest level of a list: each level of items is one of blocks. */
export const MAX_LIST_LEVEL = LIMITS.depth - 2;

/** Lists from their paragraphs one after the other. */
export function nestedLists(items: readonly FlatItem[], id: () => string): List[] {
  let at = 0;
  const listsFrom = (level: number): List[] => {
    const lists: { marker: List['marker']; items: ListItem[] }[] = [];
    while (at < items.length) {
      const item = items[at];
      if (!item || item.level < level) break;
      const last = lists.at(-1);
      const above = last?.items.at(-1);
      if (item.level > level && last && above) {
        last.items[last.items.length - 1] = { ...above, blocks: [...above.blocks, ...listsFrom(level + 1)] };
        continue;
      }
      at++;
      const made: ListItem = { id: id(), blocks: item.blocks };
      if (last && last.marker === item.marker && last.items.length < LIMITS.listItems) last.items.push(made);
      else lists.push({ marker: item.marker, items: [made] });
    }
    return lists.map((list) => ({ type: 'list', id: id(), ...list }));
  };
  return listsFrom(0);
}
