import type { ProjectBundle } from '../../core/archive/bundle.ts';

/** Number of files packed so far. */
export interface PackProgress {
  readonly done: number;
  readonly total: number;
}

export type ArchiveMethods = {
  pack: { argument: ProjectBundle; result: Uint8Array<ArrayBuffer>; progress: PackProgress };
  unpack: { argument: Uint8Array<ArrayBuffer>; result: ProjectBundle; progress: never };
};
