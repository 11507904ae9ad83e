/** A playtest table: what its page shows, and every byte that its socket was sent. */

import { inflateRawSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import type { Server } from '../server.ts';
import { type Person, signUp, verify } from './account-page.ts';
import { createDrawnProject } from './project-page.ts';

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

/** Signs somebody up and opens a table of a new project with these cards, which lie on it as one pile. */
export async function openTable(
  page: Page,
  server: Server,
  person: Person,
  cards: readonly string[],
): Promise<void> {
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await createDrawnProject(page, 'Salt Road', cards, server.dataDir);
  await page.getByRole('button', { name: 'Playtest' }).click();
  await page
    .getByRole('dialog', { name: 'Playtest' })
    .getByRole('button', { name: 'Open the table' })
    .click();
  await piece(page, new RegExp(`^List ?, ?${cards.length} pieces`)).waitFor();
}

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
