import type { Tutorial } from '../../data/user-object/schema.ts';
import { saveUserObject } from '../../data/user-object/use-user-object.ts';
import { topDialog } from '../../ui/popups/top-dialog.ts';
import { tutorialNamed } from './definitions.ts';
import { TutorialEngine } from './engine.ts';
import { TabClaim } from './tab-claim.ts';

let navigate: (route: string) => void = () => {};

/** Tells the engine how to get from page to page. */
export function setTutorialNavigation(to: (route: string) => void): void {
  navigate = to;
}

/** The first element that matches and can be seen and reached: in the topmost window, if one is open. */
export function findTarget(selector: string): HTMLElement | undefined {
  const within = topDialog() ?? document;
  return [...within.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }),
  );
}

/** The page's tutorials. */
export const tutorials = new TutorialEngine({
  exists: (selector) => findTarget(selector) !== undefined,
  covered: () => topDialog() !== undefined,
  timer: (callback, ms) => {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
  save: (change) =>
    void saveUserObject(({ tutorialData }) => ({
      tutorialData: { ...tutorialData, ...change(tutorialData) },
    })),
  navigate: (route) => navigate(route),
  named: tutorialNamed,
});

const claim = new TabClaim(globalThis.navigator?.locks, () => tutorials.handOver());

tutorials.subscribe(() => {
  const { phase } = tutorials.snapshot();
  if (phase === 'idle' || phase === 'lost') claim.release();
  else claim.take();
});

/** Goes on with the tutorial that is kept, unless another tab of this browser is at it. */
export async function resumeTutorial(kept: Tutorial | null): Promise<void> {
  if (kept && (await claim.takeIfFree())) tutorials.resume(kept);
}
