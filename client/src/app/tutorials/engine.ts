import type { Tutorial, TutorialData, TutorialStep } from '../../data/user-object/schema.ts';

/** Number of searches for a step's target, and the interval between them in milliseconds. */
export const SEARCH_TRIES = 10;
export const SEARCH_INTERVAL_MS = 500;
/** Interval at which the target's presence is checked, in milliseconds. */
export const WATCHDOG_MS = 8_000;
/** Message to users who have strayed from a tutorial. */
export const LOST_MESSAGE = "Hmmm.... It looks like you're not in the tutorial anymore.";

/** Environment of the engine. */
export interface TutorialPorts {
  /** True if a visible element of the page matches. */
  readonly exists: (selector: string) => boolean;
  /** True while a window lies over the page: what is behind it is not missing. */
  readonly covered: () => boolean;
  /** Calls back once after `ms` milliseconds unless cancelled. */
  readonly timer: (callback: () => void, ms: number) => () => void;
  /** Keeps where somebody is. `change` gets what is kept now. */
  readonly save: (change: (data: TutorialData) => TutorialData) => void;
  readonly navigate: (route: string) => void;
  /** The tutorial of that name, as it is defined. */
  readonly named: (name: string) => Tutorial | undefined;
}

/** State of the running tutorial. */
export type TutorialState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'searching'; readonly tutorial: Tutorial }
  | { readonly phase: 'showing'; readonly tutorial: Tutorial; readonly step: TutorialStep }
  | { readonly phase: 'lost' };

const IDLE: TutorialState = { phase: 'idle' };
const NONE: { readonly tutorial?: Tutorial } = {};

/**
 * One tutorial at a time, step by step.
 *
 * A step's target is looked for up to ten times, half a second apart, because a page may have to
 * load first. Where it does not turn up, the engine goes back one step; where it is missing a second
 * time, or the step before is missing too, it cancels. While a step shows, every eight seconds it is
 * checked that its target is still there. While a window lies over the page, searches do not count and
 * nothing is missing: the tutorial waits for the window to be closed. A step is left by a click on its
 * target, or by Next where the step says so as well.
 */
export class TutorialEngine {
  readonly #ports: TutorialPorts;
  readonly #observers = new Set<() => void>();
  #state: TutorialState = IDLE;
  /** The step that was missing and went back one: missing again, it ends the tutorial. */
  #wentBackFrom: number | undefined;
  #cancelTimer = () => {};

  constructor(ports: TutorialPorts) {
    this.#ports = ports;
  }

  readonly snapshot = (): TutorialState => this.#state;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Clears the tutorial that runs, sets a copy of the named one, and goes where it begins. */
  activate(
    name: string,
    { stepIndex, noRouteNavigation = false }: { stepIndex?: number; noRouteNavigation?: boolean } = {},
  ): void {
    const found = this.#ports.named(name);
    if (!found) return;
    this.#reset();
    const tutorial: Tutorial = structuredClone(found);
    if (stepIndex !== undefined) tutorial.stepIndex = Math.min(stepIndex, tutorial.steps.length - 1);
    this.#keep(tutorial);
    if (!noRouteNavigation) this.#ports.navigate(tutorial.routeName);
    this.#search(tutorial);
  }

  /** Goes on where somebody was before the page was loaded anew. */
  resume(tutorial: Tutorial | null): void {
    if (tutorial && this.#state.phase === 'idle') this.#search(structuredClone(tutorial));
  }

  /** Something was clicked; `hits` says whether an element matching a selector was. */
  clicked(hits: (selector: string) => boolean): void {
    const { tutorial } = this.#state.phase === 'idle' || this.#state.phase === 'lost' ? NONE : this.#state;
    const step = tutorial?.steps[tutorial.stepIndex];
    // Users may be faster than the search: a click counts even before the step shows.
    if (tutorial && step && hits(step.selector)) this.#advance(tutorial, step);
  }

  /** The Next button, on steps that have one. */
  next(): void {
    if (this.#state.phase !== 'showing') return;
    const { tutorial, step } = this.#state;
    if (step.next) this.#advance(tutorial, step);
  }

  /** Leaves the tutorial, or the note that it was lost. */
  close(): void {
    if (this.#state.phase === 'idle') return;
    if (this.#state.phase !== 'lost') this.#keep(null);
    this.#reset();
    this.#set(IDLE);
  }

  /** Another tab goes on with it: what is kept is no longer for this one to change. */
  handOver(): void {
    if (this.#state.phase === 'idle' || this.#state.phase === 'lost') return;
    this.#reset();
    this.#set(IDLE);
  }

  #advance(tutorial: Tutorial, step: TutorialStep): void {
    this.#arrived(tutorial.stepIndex);
    const stepIndex = tutorial.stepIndex + 1;
    if (stepIndex < tutorial.steps.length) {
      const next = { ...tutorial, stepIndex };
      this.#keep(next);
      this.#search(next);
      return;
    }
    this.#reset();
    this.#ports.save((data) => ({
      ...data,
      currentTutorial: null,
      namesOfTutorialsCompleted: [...new Set([...data.namesOfTutorialsCompleted, tutorial.name])],
    }));
    this.#set(IDLE);
    if (step.nextTutorialName !== undefined) {
      this.activate(step.nextTutorialName, {
        ...(step.nextTutorialStepIndex !== undefined && { stepIndex: step.nextTutorialStepIndex }),
        ...(step.noRouteNavigation !== undefined && { noRouteNavigation: step.noRouteNavigation }),
      });
    }
  }

  #search(tutorial: Tutorial): void {
    const step = tutorial.steps[tutorial.stepIndex];
    if (!step) {
      this.#lose();
      return;
    }
    this.#set({ phase: 'searching', tutorial });
    let tries = 0;
    const look = () => {
      if (!this.#ports.covered()) tries++;
      if (this.#ports.exists(step.selector)) {
        this.#arrived(tutorial.stepIndex);
        this.#set({ phase: 'showing', tutorial, step });
        this.#watch(step.selector);
      } else if (tries < SEARCH_TRIES) {
        this.#wait(look, SEARCH_INTERVAL_MS);
      } else if (this.#wentBackFrom === undefined) {
        this.#wentBackFrom = tutorial.stepIndex;
        const back = { ...tutorial, stepIndex: Math.max(0, tutorial.stepIndex - 1) };
        this.#keep(back);
        this.#search(back);
      } else {
        this.#lose();
      }
    };
    // The page may still be about to change: what is there now can be the page that is being left.
    this.#wait(look, SEARCH_INTERVAL_MS);
  }

  #watch(selector: string): void {
    this.#wait(() => {
      if (this.#ports.exists(selector) || this.#ports.covered()) this.#watch(selector);
      else this.#lose();
    }, WATCHDOG_MS);
  }

  /** Cancels the tutorial and says so. */
  #lose(): void {
    this.#reset();
    this.#keep(null);
    this.#set({ phase: 'lost' });
  }

  #keep(currentTutorial: Tutorial | null): void {
    this.#ports.save((data) => ({ ...data, currentTutorial }));
  }

  #wait(callback: () => void, ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.timer(callback, ms);
  }

  #reset(): void {
    this.#cancelTimer();
    this.#wentBackFrom = undefined;
  }

  /** A step was found or done. The one before the missing one does not make up for it. */
  #arrived(stepIndex: number): void {
    if (this.#wentBackFrom !== undefined && stepIndex >= this.#wentBackFrom) this.#wentBackFrom = undefined;
  }

  #set(state: TutorialState): void {
    this.#state = state;
    for (const observer of this.#observers) observer();
  }
}
