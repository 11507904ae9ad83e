import type { Handle, Shown } from '../protocol/messages.ts';

/** Pieces by the container they are seen in, from the bottom. */
export function contentsOf(pieces: ReadonlyMap<Handle, Shown>): ReadonlyMap<Handle, readonly Handle[]> {
  const contents = new Map<Handle, Handle[]>();
  for (const [handle, { holder }] of pieces) {
    if (holder === undefined) continue;
    const inside = contents.get(holder);
    if (inside) inside.push(handle);
    else contents.set(holder, [handle]);
  }
  const place = (handle: Handle) => pieces.get(handle)?.at ?? 0;
  for (const inside of contents.values()) inside.sort((a, b) => place(a) - place(b));
  return contents;
}
