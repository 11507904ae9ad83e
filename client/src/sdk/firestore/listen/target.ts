import type { FirestoreError } from '../error.ts';
import type { WireAddTarget, WireDocument, WireListenResponse } from '../types.ts';

/** Query or documents that a target watches. */
export type TargetSpec = Pick<Required<WireAddTarget>, 'query'> | Pick<Required<WireAddTarget>, 'documents'>;

/** Told about a target's consistent states. */
export interface TargetListener {
  /**
   * The documents as of one time, by wire name. The map is the target's own: read it, keep nothing of it. `fromCache`
   * when the stream is down, so that they may be old.
   */
  changed(documents: ReadonlyMap<string, WireDocument>, fromCache: boolean): void;
  /** The server refused or ended the target; nothing more will come. */
  failed(error: FirestoreError): void;
}

/** One watched query or document, shared by all who watch the same. */
export class Target {
  readonly id: number;
  readonly key: string;
  readonly spec: TargetSpec;
  readonly listeners = new Set<TargetListener>();
  readonly documents = new Map<string, WireDocument>();
  /** Everything up to `resumeToken` has been received. */
  current = false;
  /** It became current on the stream that is open now. */
  live = false;
  resumeToken: string | undefined;
  /** Something changed since listeners were last told. */
  dirty = true;

  constructor(id: number, key: string, spec: TargetSpec) {
    this.id = id;
    this.key = key;
    this.spec = spec;
  }

  /** The request that starts or resumes it. */
  toAddTarget(): WireAddTarget {
    return {
      targetId: this.id,
      ...this.spec,
      ...(this.resumeToken && { resumeToken: this.resumeToken, expectedCount: this.documents.size }),
    };
  }

  /** Forgets everything: the server starts anew. */
  reset(): void {
    this.documents.clear();
    this.current = false;
    this.live = false;
    this.resumeToken = undefined;
    this.dirty = true;
  }

  set(document: WireDocument): void {
    const known = this.documents.get(document.name);
    if (known?.updateTime !== undefined && known.updateTime === document.updateTime) return;
    this.documents.set(document.name, document);
    this.dirty = true;
  }

  remove(name: string): void {
    if (this.documents.delete(name)) this.dirty = true;
  }
}

/** Result of applying a consistent snapshot. */
export interface Applied {
  /** Targets that disagree with the server and must be listened to anew. */
  readonly mismatched: Target[];
}

/** Applies the messages that lead up to one consistent cut. */
export function applyCut(
  targets: ReadonlyMap<number, Target>,
  messages: readonly WireListenResponse[],
): Applied {
  const counts = new Map<Target, number>();
  const named = (ids: readonly number[] | undefined) =>
    (ids ?? []).flatMap((id) => {
      const target = targets.get(id);
      return target ? [target] : [];
    });
  for (const { documentChange, documentDelete, documentRemove, targetChange, filter } of messages) {
    if (documentChange) {
      for (const target of named(documentChange.targetIds)) target.set(documentChange.document);
      for (const target of named(documentChange.removedTargetIds))
        target.remove(documentChange.document.name);
    }
    const gone = documentDelete ?? documentRemove;
    if (gone) {
      const affected = gone.removedTargetIds?.length ? named(gone.removedTargetIds) : [...targets.values()];
      for (const target of affected) target.remove(gone.document);
    }
    if (targetChange) {
      // A statement about all targets does not apply to those without a first result on this stream.
      const affected = targetChange.targetIds?.length
        ? named(targetChange.targetIds)
        : [...targets.values()].filter(({ live }) => live);
      for (const target of affected) applyTargetChange(target, targetChange);
    }
    const filtered = filter && targets.get(filter.targetId);
    if (filtered) counts.set(filtered, filter.count ?? 0);
  }
  // Deletions may follow the count of the remaining documents: only the complete snapshot can disagree with it.
  const mismatched = [...counts].filter(([target, count]) => count !== target.documents.size);
  return { mismatched: mismatched.map(([target]) => target) };
}

function applyTargetChange(target: Target, change: NonNullable<WireListenResponse['targetChange']>): void {
  if (change.targetChangeType === 'RESET') target.reset();
  if (change.targetChangeType === 'CURRENT') {
    if (!target.current) target.dirty = true;
    target.current = true;
    target.live = true;
  }
  if (change.resumeToken && (change.targetChangeType ?? 'NO_CHANGE') !== 'ADD')
    target.resumeToken = change.resumeToken;
}
