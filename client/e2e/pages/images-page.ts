/** The image library: files made for a test, dropping them, and what is stored of them. */

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { PROJECT, type Server } from '../server.ts';
import type { Person } from './account-page.ts';

/** A picture of one colour, or of noise, which no compression makes small. */
export function picture(side: number, seed: number, noise = false): Buffer {
  const png = new PNG({ width: side, height: side });
  let state = seed * 2_654_435_761 + 1;
  for (let i = 0; i < png.data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const plain = i % 4 === 3 ? 255 : (seed >> ((i % 4) * 3)) * 36;
    png.data[i] = noise && i % 4 !== 3 ? state >>> 24 : plain & 255;
  }
  return PNG.sync.write(png);
}

/** A picture of one colour. */
export function plain(color: readonly [number, number, number]): Buffer {
  const png = new PNG({ width: 64, height: 64 });
  for (let i = 0; i < png.data.length; i += 4) png.data.set([...color, 255], i);
  return PNG.sync.write(png);
}

/** Makes a picture of one colour in a folder, and drops it on the page of images. */
export async function upload(
  page: Page,
  folder: string,
  name: string,
  color: readonly [number, number, number],
): Promise<void> {
  await writeFile(join(folder, name), plain(color));
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(page, [join(folder, name)]);
  await page.getByRole('option', { name, exact: true }).waitFor();
}

/** A photo, more or less: a sky that gets redder towards the ground, as JPEG. */
export function dusk(): Buffer {
  const canvas = createCanvas(480, 320);
  const ctx = canvas.getContext('2d');
  const sky = ctx.createLinearGradient(0, 0, 0, canvas.height);
  sky.addColorStop(0, '#23315c');
  sky.addColorStop(0.6, '#c2616b');
  sky.addColorStop(1, '#f2b36b');
  ctx.fillStyle = sky;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.toBuffer('image/jpeg');
}

/** Writes files below a folder; answers the SHA-256 of each by its path. */
export async function writeTree(
  root: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
    hashes.set(path, sha256(bytes));
  }
  return hashes;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Drops files and folders of the disk on the middle of the page, as the system's file manager does. */
export async function dropOn(page: Page, files: readonly string[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const at = { x: 500, y: 500, data };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    client.send('Input.dispatchDragEvent', { type, ...at });
  await send('dragEnter');
  // A hand that holds files goes on sending: where the page changes below it, one event alone reaches nothing.
  do await send('dragOver');
  while (!(await page.getByText(/^Drop to upload/).isVisible()));
  await send('dragOver');
  await send('drop');
  await client.detach();
}

/** Lets only so many files set out for the server; the others wait at it. */
export class Turnstile {
  #allowed = 0;
  #waiting: (() => void)[] = [];

  /** Puts it before the uploads of a page. */
  async install(page: Page): Promise<void> {
    await page.route(/\/v0\/b\/[^/]+\/o\?/, async (route) => {
      if (route.request().method() === 'POST') await this.#pass();
      // The page may be gone by now.
      await route.continue().catch(() => undefined);
    });
  }

  /** Lets so many more through. */
  allow(more: number): void {
    this.#allowed += more;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #pass(): Promise<void> {
    while (this.#allowed === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#allowed--;
  }
}

/** Waits until a painted card shows much of a colour. */
export async function painted(page: Page, color: readonly [number, number, number]): Promise<void> {
  await page.waitForFunction(([r, g, b]) => {
    for (const canvas of document.querySelectorAll('canvas')) {
      const ctx = canvas.getContext('2d');
      if (!ctx || canvas.width === 0 || canvas.height === 0) continue;
      const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
      if (count > 500) return true;
    }
    return false;
  }, color);
}

interface WireDocument {
  readonly name: string;
  readonly fields: Readonly<Record<string, { readonly stringValue?: string }>>;
}

/** An image as the server has it. */
export interface StoredImage {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  readonly url: string;
  readonly former: readonly string[];
}

/** Signs in without the application. */
export async function signInByWire(server: Server, person: Person): Promise<{ token: string; uid: string }> {
  const { apiKey } = (await (await fetch(`${server.origin}/__/firebase/init.json`)).json()) as {
    apiKey: string;
  };
  const signIn = await fetch(
    `${server.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${apiKey}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password, returnSecureToken: true }),
    },
  );
  const { idToken, localId } = (await signIn.json()) as { idToken: string; localId: string };
  return { token: idToken, uid: localId };
}

/** All images of an account's library, or of a project, asked for without the application. */
/** The layouts of somebody's library or of a project, as they are stored. */
export async function storedLayouts(server: Server, person: Person, project?: string): Promise<string> {
  const { token, uid } = await signInByWire(server, person);
  const place = project === undefined ? `users/${uid}/library/layouts/items` : `projects/${project}/layouts`;
  const reply = await fetch(
    `${server.origin}/v1/projects/${PROJECT}/databases/(default)/documents/${place}?pageSize=300`,
    { headers: { Authorization: `Bearer ${token}` } },
  );
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.text();
}

/** Folders of the font files that layouts name, each once. */
export const fontFoldersIn = (layouts: string): string[] => [
  ...new Set([...layouts.matchAll(/\/o\/([^"/?]+)%2Ffonts%2F/g)].map(([, folder]) => folder ?? '')),
];

export async function storedImages(server: Server, person: Person, project?: string): Promise<StoredImage[]> {
  const { token: idToken, uid: localId } = await signInByWire(server, person);
  const place =
    project === undefined ? `users/${localId}/library/images/items` : `projects/${project}/images`;
  const found: StoredImage[] = [];
  let token = '';
  do {
    const reply = await fetch(
      `${server.origin}/v1/projects/${PROJECT}/databases/(default)/documents/${place}?pageSize=300&pageToken=${encodeURIComponent(token)}`,
      { headers: { Authorization: `Bearer ${idToken}` } },
    );
    const page = (await reply.json()) as { documents?: WireDocument[]; nextPageToken?: string };
    for (const { name, fields } of page.documents ?? []) {
      const text = (key: string) => fields[key]?.stringValue ?? '';
      const former = fields['former'] as { arrayValue?: { values?: { stringValue: string }[] } } | undefined;
      found.push({
        id: name.slice(name.lastIndexOf('/') + 1),
        path: text('path'),
        hash: text('hash'),
        url: text('url'),
        former: (former?.arrayValue?.values ?? []).map(({ stringValue }) => stringValue),
      });
    }
    token = page.nextPageToken ?? '';
  } while (token !== '');
  return found;
}
