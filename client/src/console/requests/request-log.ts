/** The log of requests, put together from the events the server tells. */

import type { StreamEntry } from '../server/use-events.ts';
import type { Trace } from './denial-trace.tsx';

/** A request and its answer. */
export interface RequestRow {
  readonly kind: 'request';
  readonly key: string;
  readonly time: string;
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly caller: 'nobody' | 'owner' | 'user';
  readonly peer: string;
  readonly agent: string | null;
  readonly status: number;
  /** Until the answer began, and until it ended where that took longer. */
  readonly micros: number;
  readonly endMicros: number | undefined;
  readonly bytes: number | undefined;
  /** True while the reply is still being sent. */
  readonly open: boolean;
  readonly grpc: { readonly status: string; readonly message: string } | undefined;
  readonly reason: string | undefined;
}

/** Something that the rules denied. */
export interface DenialRow {
  readonly kind: 'denial';
  readonly key: string;
  readonly time: string;
  /** Database or storage bucket of the request. */
  readonly database?: string;
  readonly bucket?: string;
  readonly uid: string | null;
  readonly trace: Trace;
}

export type LogRow = RequestRow | DenialRow;

/** Areas that requests belong to. */
export const AREAS = ['documents', 'users', 'files', 'functions', 'rules', 'other'] as const;

export type Area = (typeof AREAS)[number];

/** Area of a row. */
export function areaOf(row: LogRow, projectId: string): Area {
  if (row.kind === 'denial') return 'rules';
  const { path } = row;
  if (/^\/(v1\/projects|google\.firestore|emulator\/v1\/projects\/[^/]+\/databases)/.test(path))
    return 'documents';
  if (/^\/(identitytoolkit|securetoken|www\.googleapis|\.well-known\/jwks)/.test(path)) return 'users';
  if (/^\/(v0|b|storage|upload|download)\//.test(path)) return 'files';
  if (path.startsWith(`/${projectId}/`) || new RegExp(`^/[a-z]+-[a-z]+\\d-${projectId}/`).test(path))
    return 'functions';
  return 'other';
}

/** The newest first. */
export function rowsOf(entries: readonly StreamEntry[]): LogRow[] {
  const rows = new Map<number, LogRow>();
  for (const { number, name, data } of entries) {
    if (name === 'request') {
      const open = data.bytes === null;
      const rest = {
        bytes: data.bytes ?? undefined,
        endMicros: undefined,
        grpc: undefined,
        reason: undefined,
      };
      rows.set(number, { kind: 'request', key: String(number), ...data, ...rest, open });
    } else if (name === 'denial') {
      rows.set(number, { kind: 'denial', key: String(number), ...data });
    } else if (name === 'end') {
      const row = rows.get(data.request);
      if (row?.kind !== 'request') continue;
      rows.set(data.request, {
        ...row,
        open: false,
        endMicros: data.micros,
        bytes: data.bytes,
        grpc: data.grpc ?? undefined,
        reason: data.reason ?? undefined,
      });
    }
  }
  return [...rows.values()].reverse();
}

/** A path without what all paths of its kind begin with. */
export function shortPath(path: string, projectId: string): string {
  const document = /^(?:\/v1\/projects\/[^/]+)?\/databases\/([^/]+)\/documents[/:]?(.*)$/.exec(path);
  if (document) return `${document[1] === '(default)' ? '' : `${document[1]} `}…/${document[2]}`;
  const bucket = `${projectId}\\.(?:appspot\\.com|firebasestorage\\.app)`;
  return path
    .replace(new RegExp(`^(?:/v0)?/b/${bucket}/o/?`), '…/')
    .replace(/^\/(?:identitytoolkit|securetoken)\.googleapis\.com\/v\d\//, '…/')
    .replace(/^\/google\.firestore\.v1\.Firestore\//, '…/')
    .replace(`/projects/${projectId}/`, '/…/');
}

/** True if the request failed. */
export function isBad(row: LogRow): boolean {
  if (row.kind === 'denial') return true;
  return row.status >= 400 || (row.grpc !== undefined && row.grpc.status !== '0');
}
