import { readBody } from '../../../core/read-body.ts';
import { parseSharedVersion, type SharedVersion } from '../../../core/versions/shared-version.ts';
import { ownAddress } from '../../rulebooks/read-edition.ts';
import type { Published } from '../../rulebooks/shares.ts';

/** Largest version that is read, in bytes: no larger one can be stored. */
const MAX_BYTES = 20 * 1024 * 1024;

/** An address as a path of this server: visitors are never sent elsewhere. */
function ownPath(address: string): string {
  const { pathname, search } = new URL(ownAddress(address, location.origin));
  return pathname + search;
}

/** The version at a public link, its pictures and fonts at addresses of this server. @throws when it cannot be read */
export async function readSharedVersion(
  { file }: Pick<Published, 'file'>,
  signal: AbortSignal,
): Promise<SharedVersion> {
  const reply = await fetch(ownAddress(file, location.origin), { signal });
  if (!reply.ok) throw new Error(`The version could not be read: the server answered ${reply.status}.`);
  const bytes = await readBody(reply, MAX_BYTES);
  const version = parseSharedVersion(JSON.parse(new TextDecoder().decode(bytes)));
  return {
    ...version,
    images: version.images.map((image) => ({ ...image, url: ownPath(image.url) })),
    layouts: version.layouts.map((layout) =>
      layout.fonts
        ? { ...layout, fonts: layout.fonts.map((font) => ({ ...font, url: ownPath(font.url) })) }
        : layout,
    ),
  };
}
