import type { DocumentReference, Transaction } from '@sdk/firestore';

/** A document as a transaction has read it. */
export type Read = Readonly<Record<string, unknown>> | undefined;

/** Writes of several changes that belong together, as they are of one document or one text. */
export interface JointWrites {
  /** Documents that they rest on. */
  readonly reads: readonly DocumentReference[];
  /** True if those documents are as the changes were shown. */
  fits(read: (ref: DocumentReference) => Read): boolean;
  write(transaction: Transaction, read: (ref: DocumentReference) => Read): void;
  /** Follows once all is written. */
  after?(read: (ref: DocumentReference) => Read): Promise<void>;
}
