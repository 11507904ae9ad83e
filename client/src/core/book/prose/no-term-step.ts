import type { Node as ProseNode } from 'prosemirror-model';
import { Step, StepResult } from 'prosemirror-transform';
import { type NoTerm, noTermSchema } from '../document/schema.ts';
import { hasNoTerm, withNoTerm, withoutNoTerm } from '../references/no-terms.ts';
import { noTermsOfProse } from './convert.ts';

/**
 * Says that words are no term at a place, or takes that back. It changes the list as it then is, so that the words of
 * several windows come together. Where the list says so already it fails: put on top of another window's step that says
 * the same it is dropped, and undo takes back only what this window has said.
 */
export class NoTermStep extends Step {
  readonly one: NoTerm;
  readonly says: boolean;

  constructor(one: NoTerm, says: boolean) {
    super();
    this.one = one;
    this.says = says;
  }

  override apply(doc: ProseNode): StepResult {
    const before = noTermsOfProse(doc);
    if (hasNoTerm(before, this.one) === this.says) {
      return StepResult.fail(
        `“${this.one.words}” is ${this.says ? 'already marked as not a term' : 'already a term'}.`,
      );
    }
    const noTerms = this.says ? withNoTerm(before, this.one) : withoutNoTerm(before, this.one);
    if (!noTerms) return StepResult.fail('No more words can be marked as not terms.');
    return StepResult.ok(doc.type.create({ ...doc.attrs, noTerms }, doc.content, doc.marks));
  }

  override invert(): NoTermStep {
    return new NoTermStep(this.one, !this.says);
  }

  override map(): NoTermStep {
    return this;
  }

  override toJSON(): unknown {
    return { stepType: 'noTerm', one: this.one, says: this.says };
  }

  static override fromJSON(_: unknown, { one, says }: { one?: unknown; says?: unknown }): NoTermStep {
    const read = noTermSchema.safeParse(one);
    if (!read.success || typeof says !== 'boolean') throw new RangeError('It says nothing of words.');
    return new NoTermStep(read.data, says);
  }
}

Step.jsonID('noTerm', NoTermStep);
