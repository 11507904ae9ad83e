import type { Block } from '../document/schema.ts';
import type { Item } from './box.ts';
import type { Context, FlowIssue } from './context.ts';
import { LineCache } from './line-cache.ts';
import type { Setting } from './setting.ts';
import type { Frame } from './text-boxes.ts';
import { type Look, unchanged, watched } from './watched.ts';

/** The surroundings that a block is composed for. */
export interface Surroundings {
  readonly frame: Frame;
  readonly role: Setting['role'];
  /** Type of the block before it, and the space below that, in millimetres. */
  readonly previous: Block['type'] | undefined;
  readonly after: number;
}

const same = (a: Surroundings, b: Surroundings): boolean =>
  a.frame.x === b.frame.x &&
  a.frame.w === b.frame.w &&
  a.role === b.role &&
  a.previous === b.previous &&
  a.after === b.after;

/** A block composed, what that took from outside it, and what was wrong. */
interface Composed {
  readonly around: Surroundings;
  readonly looks: readonly Look[];
  readonly issues: readonly FlowIssue[];
  readonly items: readonly Item[];
}

/** Forms of a block that are kept: one for each pass, and one more for the last of the flow before. */
const MAX_FORMS = 4;

/**
 * Keeps what one flow has made for the next: lines of texts, and composed blocks. A block is composed again when it is
 * another object, stands elsewhere, or anything that it looked at outside itself has changed. Blocks that are equal have to
 * be the same objects for that; see `sameBlocks`.
 */
export class FlowCache {
  readonly lines = new LineCache();
  #style = '';
  #blocks = new WeakMap<Block, Composed[]>();

  /** Begins a flow. @param style everything that all blocks depend on; another one drops all of them */
  begin(style: string): void {
    this.lines.begin();
    if (style === this.#style) return;
    this.#style = style;
    this.#blocks = new WeakMap();
  }

  /** The items of a block. */
  composed(
    context: Context,
    block: Block,
    around: Surroundings,
    make: (context: Context) => Item[],
  ): readonly Item[] {
    const forms = this.#blocks.get(block) ?? [];
    const known = forms.find((one) => same(one.around, around) && unchanged(context, one.looks));
    if (known) {
      for (const issue of known.issues) context.report(issue);
      return known.items;
    }
    const issues: FlowIssue[] = [];
    const watching = watched(context, (issue) => {
      issues.push(issue);
      context.report(issue);
    });
    const items = make(watching.context);
    this.#blocks.set(block, [{ around, looks: watching.looks, issues, items }, ...forms].slice(0, MAX_FORMS));
    return items;
  }
}
