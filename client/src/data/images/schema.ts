import * as z from 'zod';
import { isStoredHere } from '../../core/stored-file.ts';
import { timeSchema } from '../documents/time-schema.ts';

/** Longest licence, credit and tag, in characters. */
export const MAX_LICENCE_LENGTH = 120;
export const MAX_CREDIT_LENGTH = 300;
export const MAX_TAG_LENGTH = 40;
/** Most tags of one image, and most former paths kept. */
export const MAX_TAGS = 30;
export const MAX_FORMER_PATHS = 20;

const share = z.number().min(0).max(1);
const point = z.object({ x: share, y: share });
const crop = z.object({ x: share, y: share, w: share.min(0.01), h: share.min(0.01) });

/** Source of an icon made from the icon library, so that its colours can be changed. */
const iconSchema = z.object({
  name: z.string(),
  color: z.string(),
  /** Behind the icon; `null` is transparent. */
  ground: z.string().nullable().default(null),
});

/**
 * An image: of a library (`users/{uid}/library/images/items/{id}`), of a project (`projects/{p}/images/{id}`), or of the
 * stock that all users share (`stock/{id}`).
 */
export const imageSchema = z.object({
  /** Folders and name, such as `Monsters/dragon.png`. */
  path: z.string().min(1),
  /** Paths it had before, newest first. */
  former: z.array(z.string()).catch([]),
  /** Its file, by its name in the file store. Images of equal content may share one. */
  file: z.string().min(1),
  /** Address of the file on this host, which opens it for whoever has it. Members write it for each other. */
  url: z.string().refine(isStoredHere, 'must be the address of a file stored on this server'),
  /** SHA-256 of the file as it was given, in hexadecimal. */
  hash: z.string().catch(''),
  /** Length of the file, in bytes. */
  bytes: z.number().catch(0),
  type: z.string().catch(''),
  /** Size in pixels. */
  w: z.number().catch(0),
  h: z.number().catch(0),
  tags: z.array(z.string()).catch([]),
  licence: z.string().catch(''),
  credit: z.string().catch(''),
  focus: point.optional().catch(undefined),
  crop: crop.optional().catch(undefined),
  icon: iconSchema.optional().catch(undefined),
  /** Path of the document that a copy is of, and the hash that it had. */
  from: z
    .object({ path: z.string(), hash: z.string().catch('').default('') })
    .optional()
    .catch(undefined),
  createdAt: timeSchema,
  updatedAt: timeSchema,
});

/** Fields of an image that people get who see a layout with it, and neither its library nor its project. */
export const sharedImageSchema = imageSchema.pick({
  path: true,
  former: true,
  url: true,
  bytes: true,
  tags: true,
  licence: true,
  credit: true,
  crop: true,
  focus: true,
  icon: true,
});

export type ImageDocument = z.infer<typeof imageSchema>;
export type IconOrigin = z.infer<typeof iconSchema>;

/** Sizes of thumbnails that the server makes, in pixels of the longer edge. */
const THUMBNAIL_EDGES = [64, 128, 256, 512, 1024] as const;

/** Address of a picture of an image that is at least as sharp as `px` pixels, made by the server. */
export function thumbnailUrl(url: string, px: number): string {
  const edge = THUMBNAIL_EDGES.find((length) => length >= px) ?? 1024;
  // Drawings are sharp as they are, and the server makes no pixels of them.
  if (/\.svg(?:\?|$)/i.test(url)) return url;
  return url.includes('alt=media') ? `${url}&thumb=${edge}` : url;
}
