import { saveUserObject } from '../../data/user-object/use-user-object.ts';
import { tutorialNamed } from './definitions.ts';
import { TutorialEngine } from './engine.ts';

let navigate: (route: string) => void = () => {};

/** Tells the engine how to get from page to page. */
export function setTutorialNavigation(to: (route: string) => void): void {
  navigate = to;
}

/** The first element that matches and can be seen. */
export function findTarget(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }),
  );
}

/** The page's tutorials. */
export const tutorials = new TutorialEngine({
  exists: (selector) => findTarget(selector) !== undefined,
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
