import type { ProjectBundle } from '../core/archive/bundle.ts';

/** How many of the files are packed. */
export interface PackProgress {
  readonly done: number;
  readonly total: number;
}

export type ArchiveMethods = {
  pack: { argument: ProjectBundle; result: Uint8Array<ArrayBuffer>; progress: PackProgress };
  unpack: { argument: Uint8Array<ArrayBuffer>; result: ProjectBundle; progress: never };
};
