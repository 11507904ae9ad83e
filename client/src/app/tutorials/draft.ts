import type { Tutorial, TutorialStep } from '../../data/user-object/schema.ts';

/** A step as it is written down: what is usual is left out. */
type Draft = Pick<TutorialStep, 'selector' | 'instruction'> & Partial<TutorialStep>;

export const steps = (...drafts: readonly Draft[]): TutorialStep[] =>
  drafts.map((draft) => ({
    position: { horizontal: 'center', vertical: 'bottom' },
    next: false,
    highlight: true,
    ...draft,
  }));

/** Selector of what is marked as a target. */
export const at = (name: string) => `[data-tutorial="${name}"]`;

/** A tutorial with what the lists of tutorials say about it. */
export interface TutorialInfo {
  readonly tutorial: Tutorial;
  readonly about: string;
  /** Illustrated guide on the tutorials page. */
  readonly guide: string;
}
