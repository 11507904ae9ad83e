// @vitest-environment happy-dom
/** A page whose session has ended elsewhere stays for what is not saved on it, and for nothing else. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  finishWork,
  guardUnsaved,
  leaveUnsaved,
  leavingNow,
  SAVE_WAIT_MS,
  saveAndLeave,
  saveUnsaved,
} from './unsaved-work.ts';

vi.mock('../trial/place.ts', () => ({ inTrial: () => false }));

let unsaved: boolean;
let save: () => Promise<unknown>;
let unguard: () => void;

beforeEach(() => {
  unsaved = true;
  save = async () => {
    unsaved = false;
  };
  unguard = guardUnsaved({ isUnsaved: () => unsaved, save: () => save() });
});
afterEach(() => {
  unguard();
  vi.useRealTimers();
});

const isWarned = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};
const fails = async () => {
  throw new Error('away');
};
const never = new AbortController().signal;

test('the browser asks before it closes what is not saved', () => {
  expect(isWarned()).toBe(true);
  unsaved = false;
  expect(isWarned()).toBe(false);
  unsaved = true;
  unguard();
  expect(isWarned()).toBe(false);
});

test('a field that is typed into is left before anything is saved', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  unsaved = false;
  field.addEventListener('blur', () => {
    unsaved = true;
  });
  field.focus();
  await finishWork('elsewhere', never);
  expect(unsaved).toBe(false);
  field.remove();
});

test('what can be saved is saved, and the page is left', async () => {
  await finishWork('elsewhere', never);
  expect([unsaved, leavingNow()]).toEqual([false, undefined]);
});

test('what cannot be saved keeps the page until it can', async () => {
  save = fails;
  let left = false;
  const leaving = finishWork('elsewhere', never).then(() => {
    left = true;
  });
  await vi.waitUntil(() => leavingNow()?.saving === false);
  await saveAndLeave();
  expect([left, leavingNow()]).toEqual([false, { end: 'elsewhere', saving: false }]);
  save = async () => {
    unsaved = false;
  };
  await saveAndLeave();
  await leaving;
  expect(leavingNow()).toBeUndefined();
});

test('the user may leave it', async () => {
  save = fails;
  const leaving = finishWork('ended', never);
  await vi.waitUntil(() => leavingNow() !== undefined);
  leaveUnsaved();
  await leaving;
  expect([unsaved, leavingNow()]).toEqual([true, undefined]);
});

test('the page stays as it is for those who sign in again', async () => {
  save = fails;
  const back = new AbortController();
  const leaving = finishWork('elsewhere', back.signal);
  await vi.waitUntil(() => leavingNow() !== undefined);
  back.abort();
  await leaving;
  expect([unsaved, leavingNow()]).toEqual([true, undefined]);
});

test('a save without an answer is not waited for without end', async () => {
  vi.useFakeTimers();
  save = () => new Promise(() => undefined);
  const saved = saveUnsaved();
  await vi.advanceTimersByTimeAsync(SAVE_WAIT_MS + 10);
  expect(await saved).toBe(false);
});
