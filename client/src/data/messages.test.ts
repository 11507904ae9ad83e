import { FirestoreError } from '@sdk/firestore';
import { expect, test } from 'vitest';
import { describeError, isFull } from './messages.ts';

const FULL =
  'An account here holds 1 GB of documents, and 1 GB are there, with all projects and their trash: delete projects or cards for good, or ask whoever runs this server for more.';
const FAST =
  'You have written so much that only 1200 documents and 8388608 bytes a minute are taken: try again in 3 seconds.';

test('an account without room is told what to do, and one that writes fast is not full', () => {
  const full = new FirestoreError('resource-exhausted', FULL);
  expect([isFull(full), describeError(full)]).toEqual([true, FULL]);
  const fast = new FirestoreError('resource-exhausted', FAST);
  expect([isFull(fast), describeError(fast)]).toEqual([false, 'This is more than the server takes at once.']);
  for (const other of [null, 'text', new Error(FULL), new FirestoreError('unavailable', FULL)]) {
    expect(isFull(other)).toBe(false);
  }
});
