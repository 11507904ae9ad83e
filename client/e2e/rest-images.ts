/** An image of a project or a library, stored without the application. */

import { PNG } from 'pngjs';
import { sha256 } from './pages/images-page.ts';
import type { RestUser } from './rest-user.ts';
import { PROJECT } from './server.ts';

/** Puts a file where the application puts uploads; answers what an image says of it. */
export async function storeImage(user: RestUser, file: string, bytes: Buffer): Promise<object> {
  const bucket = `/v0/b/${PROJECT}.appspot.com/o`;
  const reply = await fetch(`${user.origin}${bucket}?name=${encodeURIComponent(file)}`, {
    method: 'POST',
    headers: { Authorization: `Firebase ${user.token}`, 'Content-Type': 'image/png' },
    body: new Uint8Array(bytes),
  });
  const { downloadTokens } = (await reply.json()) as { downloadTokens: string };
  const url = `${bucket}/${encodeURIComponent(file)}?alt=media&token=${downloadTokens}`;
  const { width: w, height: h } = PNG.sync.read(bytes);
  const known = { hash: sha256(bytes), bytes: bytes.length, type: 'image/png', w, h };
  return { file, url, ...known, former: [], tags: [], licence: '', credit: '', createdAt: 1, updatedAt: 1 };
}
