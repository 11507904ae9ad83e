/**
 * A hand at the machine: nothing but the pointer, its wheel and the keyboard. Where something is, is asked of the
 * page; what is done to it goes through the pointer and the keys alone.
 */

import type { Locator, Page } from 'playwright-core';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Turns of the wheel before something counts as out of reach. */
const MOST_TURNS = 30;
/** Height at which an element lies after it was scrolled into view, in CSS pixels from the top. */
const COMFORTABLE_Y = 450;

/** Manner of a drag. */
export interface DragManner {
  /** A fast hand goes straight there; a slow one, the default, waits after the press, trembles and overshoots. */
  readonly pace?: 'slow' | 'fast';
  /** A key that is held meanwhile. */
  readonly holding?: 'Alt' | 'Shift';
}

/** Tremor and overshoot of a slow hand, in CSS pixels. */
const TREMOR_PX = 1;
const OVERSHOOT_PX = 6;

/**
 * Drags from one point of the window to another as a person does. The browser starts drags of its own only where
 * the pointer rests after the press, so a slow hand meets what a script's quick one never does.
 */
export async function drag(
  page: Page,
  from: Point,
  to: Point,
  { pace = 'slow', holding }: DragManner = {},
): Promise<void> {
  const { mouse, keyboard } = page;
  await mouse.move(from.x, from.y);
  if (holding) await keyboard.down(holding);
  await mouse.down();
  if (pace === 'fast') {
    await mouse.move(to.x, to.y, { steps: 2 });
  } else {
    await drawn(page);
    await mouse.move(from.x + TREMOR_PX, from.y - TREMOR_PX);
    await drawn(page);
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2 + TREMOR_PX, { steps: 6 });
    await mouse.move(to.x + OVERSHOOT_PX, to.y - OVERSHOOT_PX, { steps: 6 });
    await drawn(page);
    await mouse.move(to.x, to.y, { steps: 3 });
    await drawn(page);
  }
  await mouse.up();
  if (holding) await keyboard.up(holding);
}

/** Waits until the page has drawn what it has been told. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

export class Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  press(keys: string): Promise<void> {
    return this.#page.keyboard.press(keys);
  }

  /** Clicks in the middle of something, so many times. */
  async click(what: Locator, times = 1): Promise<void> {
    const { x, y } = await this.#reach(what);
    await this.#page.mouse.click(x, y, { clickCount: times });
  }

  /** Puts a text in place of what a field says, others into the fields after it by Tab, and lets go of the keyboard. */
  async write(field: Locator, ...texts: readonly string[]): Promise<void> {
    await this.click(field);
    for (const [at, text] of texts.entries()) {
      if (at > 0) await this.press('Tab');
      await this.#settled();
      await this.press('Control+a');
      if (text === '') await this.press('Delete');
      else await this.#page.keyboard.type(text);
    }
    await this.press('Escape');
  }

  /** Opens a list of choices with the pointer and takes one by typing its name. */
  async choose(list: Locator, name: string): Promise<void> {
    await this.click(list);
    await this.#page.keyboard.type(name);
    await this.press('Enter');
  }

  /** Drags from one point of the window to another. */
  drag(from: Point, to: Point, manner?: DragManner): Promise<void> {
    return drag(this.#page, from, to, manner);
  }

  /** Drags the middle of something by so many pixels. */
  async dragBy(what: Locator, dx: number, dy: number, manner?: DragManner): Promise<void> {
    const from = await this.#reach(what);
    await this.drag(from, { x: from.x + dx, y: from.y + dy }, manner);
  }

  /** Drags one thing onto the middle of another. */
  async dragOnto(what: Locator, goal: Locator): Promise<void> {
    const from = await this.#reach(what);
    await this.drag(from, await this.#reach(goal));
  }

  /** A number field sets the caret a moment after it was entered: before that, no hand can have selected anything. */
  async #settled(): Promise<void> {
    await this.#page.evaluate(() => new Promise((done) => setTimeout(done, 0)));
  }

  /** The middle of something, scrolled to with the wheel until the pointer would meet it. */
  async #reach(what: Locator): Promise<Point> {
    await what.waitFor();
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const { x, y, met, still } = await what.evaluate(async (element) => {
        const middle = (): { x: number; y: number } => {
          const box = element.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        };
        // A person aims at what stands still: a list that is being filtered or a popup that finds its place does not.
        const before = middle();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const { x, y } = middle();
        const top = document.elementFromPoint(x, y);
        return {
          x,
          y,
          met: top !== null && (element.contains(top) || top.contains(element)),
          still: x === before.x && y === before.y,
        };
      });
      if (!still) continue;
      if (met) return { x, y };
      await this.#page.mouse.move(x, COMFORTABLE_Y);
      await this.#page.mouse.wheel(0, y - COMFORTABLE_Y);
    }
    throw new Error(`the pointer cannot reach ${what}`);
  }
}
