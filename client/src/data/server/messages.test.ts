import { FirestoreError } from '@sdk/firestore';
import { expect, test } from 'vitest';
import { describeDelay, describeError, isFull } from './messages.ts';

const FULL =
  'There is no room for this: your projects with their trash hold 1 GB of the 1 GB of documents that an account may have here. Delete projects or cards for good, or ask whoever runs this server for more.';
const FULL_OF_ANOTHER =
  'There is no room for this: the owner of this project has no more room for documents. Ask the owner to delete projects or cards for good, or to get more room.';
const FULL_BROWSER =
  'There is no room left in this browser for the game: it gives this site no more. Delete cards or layouts that you do not need, or what other sites keep here. “Download the game” in the menu at the top makes a file of all that was kept, which can be opened in an account.';
const FAST =
  'You have written so much that only 1200 documents and 8388608 bytes a minute are taken: try again in 3 seconds.';

test('an account without room is told what to do, and one that writes fast is not full', () => {
  const full = new FirestoreError('resource-exhausted', FULL);
  expect([isFull(full), describeError(full)]).toEqual([true, FULL]);
  const other = new FirestoreError('resource-exhausted', FULL_OF_ANOTHER);
  expect([isFull(other), describeError(other)]).toEqual([true, FULL_OF_ANOTHER]);
  const browser = new FirestoreError('resource-exhausted', FULL_BROWSER);
  expect([isFull(browser), describeError(browser)]).toEqual([true, FULL_BROWSER]);
  const fast = new FirestoreError('resource-exhausted', FAST);
  expect([isFull(fast), describeError(fast)]).toEqual([false, 'This is more than the server takes at once.']);
  for (const other of [null, 'text', new Error(FULL), new FirestoreError('unavailable', FULL)]) {
    expect(isFull(other)).toBe(false);
  }
});

test('who writes too fast is told so, and of other delays that the server could not save', () => {
  expect(describeDelay(new FirestoreError('resource-exhausted', FAST))).toBe(
    'Too many changes at once: saving in a moment',
  );
  for (const error of [
    new FirestoreError('resource-exhausted', 'The disk is full.'),
    new FirestoreError('aborted', FAST),
    undefined,
  ]) {
    expect(describeDelay(error)).toBe('Not saved just now: trying again in a moment');
  }
});
