import type { Reference } from './reference.ts';

/** The metadata a client may set; `null` removes a field. */
export interface SettableMetadata {
  cacheControl?: string | null | undefined;
  contentDisposition?: string | null | undefined;
  contentEncoding?: string | null | undefined;
  contentLanguage?: string | null | undefined;
  contentType?: string | null | undefined;
  customMetadata?: Record<string, string | null> | undefined;
}

/** The metadata of a new file. */
export interface UploadMetadata extends SettableMetadata {
  md5Hash?: string | undefined;
}

/** All metadata of a file. */
export interface FullMetadata {
  readonly bucket: string;
  readonly fullPath: string;
  readonly generation: string;
  readonly metageneration: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly timeCreated: string;
  readonly updated: string;
  readonly md5Hash: string | undefined;
  readonly downloadTokens: string[] | undefined;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly contentType?: string;
  readonly customMetadata?: Record<string, string>;
  readonly ref: Reference;
}

const HEADERS = [
  'cacheControl',
  'contentDisposition',
  'contentEncoding',
  'contentLanguage',
  'contentType',
] as const;

/** Wire form of settable metadata. */
export function toWire(metadata: SettableMetadata): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const key of HEADERS) {
    if (metadata[key] !== undefined) wire[key] = metadata[key];
  }
  if (metadata.customMetadata !== undefined) wire.metadata = metadata.customMetadata;
  return wire;
}

/** Reads the wire's metadata. */
export function fromWire(wire: Record<string, unknown>, ref: Reference): FullMetadata {
  const text = (key: string) => (typeof wire[key] === 'string' ? (wire[key] as string) : '');
  const optional: Record<string, string> = {};
  for (const key of HEADERS) {
    if (typeof wire[key] === 'string') optional[key] = wire[key] as string;
  }
  const custom = wire.metadata;
  return {
    bucket: text('bucket'),
    fullPath: text('name'),
    generation: text('generation'),
    metageneration: text('metageneration'),
    name: text('name').split('/').at(-1) ?? '',
    size: Number(text('size')),
    timeCreated: text('timeCreated'),
    updated: text('updated'),
    md5Hash: text('md5Hash') || undefined,
    downloadTokens: text('downloadTokens') ? text('downloadTokens').split(',') : undefined,
    ...optional,
    ...(typeof custom === 'object' && custom !== null
      ? { customMetadata: custom as Record<string, string> }
      : {}),
    ref,
  };
}
