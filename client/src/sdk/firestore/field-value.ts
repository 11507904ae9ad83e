/** Value that the server computes while writing. */
export type FieldOperation =
  | { readonly kind: 'delete' }
  | { readonly kind: 'serverTimestamp' }
  | { readonly kind: 'increment'; readonly by: number }
  | { readonly kind: 'arrayUnion'; readonly elements: readonly unknown[] }
  | { readonly kind: 'arrayRemove'; readonly elements: readonly unknown[] };

/** A marker to be put where a value would stand. */
export class FieldValue {
  readonly operation: FieldOperation;

  constructor(operation: FieldOperation) {
    this.operation = operation;
  }

  isEqual(other: FieldValue): boolean {
    return JSON.stringify(this.operation) === JSON.stringify(other.operation);
  }
}

/** Removes the field (in `updateDoc`, and `setDoc` with merge). */
export const deleteField = (): FieldValue => new FieldValue({ kind: 'delete' });

/** The time of the commit, by the server's clock. */
export const serverTimestamp = (): FieldValue => new FieldValue({ kind: 'serverTimestamp' });

/** Adds to the number that is there, 0 when there is none. */
export const increment = (by: number): FieldValue => new FieldValue({ kind: 'increment', by });

/** Adds the elements that the array does not hold yet. */
export const arrayUnion = (...elements: unknown[]): FieldValue =>
  new FieldValue({ kind: 'arrayUnion', elements });

/** Takes every occurrence of the elements out of the array. */
export const arrayRemove = (...elements: unknown[]): FieldValue =>
  new FieldValue({ kind: 'arrayRemove', elements });
