import type { Change } from './change.ts';

/** Most steps that can be taken back. */
export const MAX_STEPS = 500;
/** Most changes kept over all steps: a paste of a whole table must not fill the memory. */
export const MAX_KEPT_CHANGES = 2_000_000;

/** One thing the user did: taken back as one. */
export interface Step {
  /** In words for the button: “Undo paste”. */
  readonly label: string;
  readonly changes: readonly Change[];
}

/** Steps as they can be kept outside of the memory, each list with its newest last. */
export interface KeptSteps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** The user's own steps, to take back and to do again. Other people's changes never enter. */
export class History {
  #done: Step[] = [];
  #undone: Step[] = [];
  #kept = 0;

  get undoable(): Step | undefined {
    return this.#done[this.#done.length - 1];
  }

  get redoable(): Step | undefined {
    return this.#undone[this.#undone.length - 1];
  }

  /** A new step; what was taken back before can no longer be done again. */
  push(step: Step): void {
    this.#undone = [];
    this.#done.push(step);
    this.#kept += step.changes.length;
    this.#forget();
  }

  /** True if the step can still be undone. */
  has(step: Step): boolean {
    return this.#done.includes(step);
  }

  /** Takes out the last step, or an earlier one; `undefined` when it is not there. */
  takeUndo(step = this.undoable): Step | undefined {
    const at = step ? this.#done.lastIndexOf(step) : -1;
    if (!step || at < 0) return undefined;
    this.#done.splice(at, 1);
    this.#undone.push(step);
    return step;
  }

  takeRedo(): Step | undefined {
    const step = this.#undone.pop();
    if (step) this.#done.push(step);
    return step;
  }

  get steps(): KeptSteps {
    return { done: this.#done, undone: this.#undone };
  }

  /** Puts what an earlier window did under what was done since. */
  restore({ done, undone }: KeptSteps): void {
    // An undone step can be redone only until a new step is made.
    if (this.#done.length === 0) this.#undone = [...undone, ...this.#undone];
    this.#done = [...done, ...this.#done];
    this.#kept = this.#done.reduce((sum, { changes }) => sum + changes.length, 0);
    this.#forget();
  }

  #forget(): void {
    while (this.#done.length > 1 && (this.#done.length > MAX_STEPS || this.#kept > MAX_KEPT_CHANGES)) {
      this.#kept -= this.#done.shift()?.changes.length ?? 0;
    }
  }
}
