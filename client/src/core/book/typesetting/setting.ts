import type { Block } from '../document/schema.ts';
import type { Item, Path, Step, Tag } from './box.ts';
import type { Context } from './context.ts';
import type { Role } from './house-style.ts';
import type { Frame } from './text-boxes.ts';

/** Surroundings of blocks: their room, their element, and the kind of their text. */
export interface Setting {
  readonly frame: Frame;
  readonly path: Path;
  readonly role: Extract<Role, 'body' | 'callout' | 'list'>;
}

/** Composes blocks one below another. */
export type ComposeBlocks = (context: Context, blocks: readonly Block[], setting: Setting) => Item[];

export const under = (path: Path, tag: Tag, key: string, more: Partial<Step> = {}): Path => [
  ...path,
  { tag, key, ...more },
];
