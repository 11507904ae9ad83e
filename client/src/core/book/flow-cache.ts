import type { Item } from './box.ts';
import type { Context, FlowIssue } from './context.ts';
import { LineCache } from './line-cache.ts';
import type { Block } from './schema.ts';
import { type Look, unchanged, watched } from './watched.ts';

/** A block composed, what that took from outside it, and what was wrong. */
interface Composed {
  readonly place: string;
  readonly looks: readonly Look[];
  readonly issues: readonly FlowIssue[];
  readonly items: readonly Item[];
}

/** Forms of a block that are kept: one for each pass, and one more for the last of the flow before. */
const MAX_FORMS = 4;

/**
 * Keeps what one flow has made for the next: lines of texts, and composed blocks. A block is composed again when it is another
 * object, stands elsewhere, or anything that it looked at outside itself has changed. Blocks that are equal have to be the same
 * objects for that; see `sameBlocks`.
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

  /**
   * The items of a block.
   * @param place its surroundings: the same text is the same surroundings
   */
  composed(
    context: Context,
    block: Block,
    place: string,
    make: (context: Context) => Item[],
  ): readonly Item[] {
    const forms = this.#blocks.get(block) ?? [];
    const at = forms.findIndex((one) => one.place === place && unchanged(context, one.looks));
    const known = forms[at];
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
    this.#blocks.set(block, [{ place, looks: watching.looks, issues, items }, ...forms].slice(0, MAX_FORMS));
    return items;
  }
}
