/** A playtest table: what its page shows, and every byte that its socket was sent. */

import { inflateRawSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';

/** Notes everything that a page’s sockets are sent, inflated. */
export function noteFrames(page: Page): { text(): string } {
  const frames: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      frames.push(typeof payload === 'string' ? payload : inflateRawSync(payload).toString());
    });
  });
  return { text: () => frames.join('\n') };
}

export const pieces = (page: Page): Locator => page.getByRole('tree', { name: 'Pieces' });
export const piece = (page: Page, name: string | RegExp): Locator =>
  pieces(page).getByRole('treeitem', { name });
export const log = (page: Page): Locator => page.getByRole('log', { name: 'Log' });
export const hand = (page: Page): Locator => page.getByRole('region', { name: 'Your hand' });
export const cardsInHand = (page: Page): Locator => hand(page).getByRole('listitem').getByRole('button');

/** Selects a piece in the list and presses keys on it. */
export async function press(page: Page, name: string | RegExp, keys: string): Promise<void> {
  await piece(page, name).first().click();
  await page.keyboard.press(keys);
}

/** A picture of the table as it is painted now, to be compared with another one. */
export const painted = (page: Page): Promise<string> =>
  page
    .getByRole('application', { name: 'Table' })
    .locator('canvas')
    .first()
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

/** Waits until the log of a page has such a line. */
export const logged = (page: Page, line: string | RegExp): Promise<void> =>
  log(page).getByText(line).first().waitFor();
