import { createHash } from 'node:crypto';
import type { HeldImage, ImageTarget, NewImage } from './images-in.ts';
import type { KnownImage } from './images-out.ts';

type Held = KnownImage & HeldImage;

/** A file's SHA-256, in hexadecimal. */
export const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A user's library with its files, as the server keeps them. */
export class MemoryLibrary {
  readonly images: Held[] = [];
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  sends = 0;
  #next = 0;

  constructor(readonly owner: string) {}

  put(image: Pick<Held, 'path'> & Partial<Held>, content: Uint8Array<ArrayBuffer>): Held {
    const id = `${this.owner}${this.#next++}`;
    const file = `files/${id}`;
    this.files.set(file, content);
    const facts = { former: [], tags: [], licence: '', credit: '', hash: sha(content) };
    const held: Held = { ...facts, shelf: 'image', bytes: content.length, id, file, url: file, ...image };
    this.images.push(held);
    return held;
  }

  readonly source = {
    images: async () => this.images,
    read: async ({ url }: { url: string }) => {
      const bytes = this.files.get(url);
      if (!bytes) throw new Error('its file is gone.');
      return bytes.slice();
    },
    hash: async (bytes: Uint8Array) => sha(bytes),
  };

  readonly target: ImageTarget = {
    images: async () => [...this.images],
    keptHash: async ({ url }) => sha(this.files.get(url) ?? new Uint8Array()),
    prepare: async (bytes) => {
      if (bytes[0] === 0) throw new Error('This is no image.');
      const size = { w: 1, h: 1, type: 'image/png', ending: '.png', converted: false };
      return { ...size, blob: new Blob([bytes]), hash: sha(bytes) };
    },
    send: async (id, content) => {
      this.sends++;
      const file = `files/${id}`;
      this.files.set(file, new Uint8Array(await content.blob.arrayBuffer()));
      return { file, url: file };
    },
    add: async ({ id, path, content, facts, file, url }: NewImage) => {
      const { hash, blob } = content;
      this.images.push({ ...facts, shelf: 'image', id, path, hash, bytes: blob.size, file, url });
    },
    remove: async (added, files) => {
      this.images.splice(0, Number.POSITIVE_INFINITY, ...this.images.filter(({ id }) => !added.includes(id)));
      for (const file of files) this.files.delete(file);
    },
    newId: () => `${this.owner}${this.#next++}`,
  };
}
