import * as z from 'zod';
import type { JsonObject } from '../../core/archive/bundle.ts';
import { timeSchema } from '../documents/time-schema.ts';

/** Longest name and note of a version; the rules say the same. */
export const MAX_VERSION_NAME = 200;
export const MAX_VERSION_NOTE = 10_000;

/** Why a version was made by itself; `''` for one that somebody named. */
export const VERSION_REASONS = ['', 'daily', 'import', 'bulk', 'restore', 'print'] as const;
export type VersionReason = (typeof VERSION_REASONS)[number];

const count = z.number().int().min(0).catch(0).default(0);
const NO_COUNTS = { components: 0, cards: 0, layouts: 0, images: 0, rulebooks: 0 };

/** A version of the game: `projects/{p}/gameVersions/{v}`, written by the server. */
export const gameVersionSchema = z.object({
  /** From 1, for named and automatic ones alike. */
  number: z.number().int().min(1),
  /** Empty for an automatic one. */
  name: z.string().default(''),
  note: z.string().catch('').default(''),
  kind: z.enum(['named', 'automatic']).catch('automatic'),
  reason: z.enum(VERSION_REASONS).catch(''),
  by: z.string().catch(''),
  byName: z.string().catch('').default(''),
  at: timeSchema,
  counts: z
    .object({ components: count, cards: count, layouts: count, images: count, rulebooks: count })
    .catch(NO_COUNTS)
    .default(NO_COUNTS),
  bytes: z.number().catch(0).default(0),
  /** Its public link; empty for none. */
  link: z.string().catch('').default(''),
});
export type GameVersion = z.infer<typeof gameVersionSchema>;

/** The version that a print, or a table, is of. */
export interface PrintedVersion {
  /** Its id. */
  readonly version: string;
  /** Its name then; an automatic one is named by its number. */
  readonly versionName: string;
}

const fields = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;

/** Answer of `compareVersions`. */
export const comparedSchema = z.object({
  changes: z.array(z.object({ path: z.string(), before: fields.nullable(), after: fields.nullable() })),
  /** More changed than one answer holds. */
  truncated: z.boolean().default(false),
  /** Documents whose stored content is missing or broken; all others are compared. */
  damaged: z.array(z.string()).default([]),
  /** Documents of components and rulebooks that did not change and that changes lie below. */
  context: z
    .array(z.object({ path: z.string(), value: fields }))
    .catch([])
    .default([]),
});
export type Compared = z.infer<typeof comparedSchema>;

export const frozenSchema = z.object({
  version: z.string(),
  number: z.number(),
  /** Nothing has changed since the newest version, which is the one answered. */
  unchanged: z.boolean().default(false),
});

export const openedSchema = z.object({
  /** Documents of the version that are missing or broken; all others are there. */
  damaged: z.array(z.string()).default([]),
});

export const restoredSchema = z.object({
  /** The version of what was there before. */
  frozen: z.string().default(''),
  changed: z.number().default(0),
  /** Rulebooks whose text the caller restores. */
  rulebooks: z.array(z.string()).default([]),
});
export type Restored = z.infer<typeof restoredSchema>;
