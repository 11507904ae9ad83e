import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const THEMES = ['dark', 'light'] as const;
/** Rules that depend on colours: the others find the same in every theme. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until nothing fades any more: fading things have the wrong contrast for a moment. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
}

/** axe's violations on the page as it stands, one line each; each begins with `state`. Without `rules`, of all rules. */
export async function faults(
  page: Page,
  state = new URL(page.url()).pathname,
  rules?: readonly string[],
): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(SOURCE);
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${state}: ${id}: ${html.slice(0, 160)}`),
  );
}

/** axe's violations on the page as it stands, in both themes; the page follows the system's theme. */
export async function faultsInBoth(page: Page, state = new URL(page.url()).pathname): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (theme) => document.documentElement.dataset['mantineColorScheme'] === theme,
      colorScheme,
    );
    const rules = colorScheme === 'dark' ? RULES_OF_COLOUR : undefined;
    found.push(...(await faults(page, `${state}, ${colorScheme}`, rules)));
  }
  return found;
}
