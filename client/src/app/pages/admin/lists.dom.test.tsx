// @vitest-environment happy-dom
/** The admin's long lists: answers that come late, and pages that do not come at all. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LogEntry, Person } from '../../../data/admin/admin-calls.ts';
import { Log } from './log.tsx';
import { People } from './people.tsx';

type Reply = { people?: readonly Person[]; more?: boolean; entries?: readonly LogEntry[] };
interface Question {
  readonly asked: object;
  readonly answer: (reply: Reply) => void;
  readonly refuse: (error: Error) => void;
}
const server = vi.hoisted(() => ({ questions: [] as Question[] }));
vi.mock('../../../data/admin/admin-calls.ts', () => {
  const ask = (asked: object) =>
    new Promise<Reply>((answer, refuse) => void server.questions.push({ asked, answer, refuse }));
  return { findPeople: ask, readLog: ask, changePerson: ask };
});
vi.mock('../../../data/account/plans.ts', () => ({ offeredPlans: () => [] }));
vi.mock('../../../data/account/session.ts', () => ({ useUser: () => ({ uid: 'boss' }) }));

beforeEach(() => {
  server.questions.length = 0;
  // The browser has it; the DOM of the tests does not.
  HTMLElement.prototype.hidePopover = () => {};
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (what: ReactNode) => render(<MantineProvider>{what}</MantineProvider>);
const person = (email: string): Person => ({
  uid: email,
  email,
  displayName: '',
  emailVerified: false,
  disabled: false,
  admin: false,
  createdAt: 0,
  lastLoginAt: 0,
  plan: null,
});
const pass = () => act(async () => void vi.advanceTimersByTime(250));
const type = async (text: string) => {
  fireEvent.change(screen.getByLabelText('Search people'), { target: { value: text } });
  await pass();
};
const answer = (at: number, reply: Reply) => act(async () => server.questions[at]?.answer(reply));
const press = (text: string) => act(async () => fireEvent.click(screen.getByText(text)));
const listed = () => [...document.querySelectorAll('tbody strong')].map(({ textContent }) => textContent);

test('what an older search finds later is dropped', async () => {
  show(<People />);
  await pass();
  await type('an');
  await type('ann');
  expect(server.questions.map(({ asked }) => asked)).toEqual([{ text: '' }, { text: 'an' }, { text: 'ann' }]);
  await answer(2, { people: [person('ann@x')], more: false });
  await answer(1, { people: [person('ann@x'), person('dan@x')], more: true });
  await act(async () => server.questions[0]?.refuse(new Error('too late')));
  expect(listed()).toEqual(['ann@x']);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('Show more')).toBeNull();
});

test('more of one search never joins another', async () => {
  show(<People />);
  await pass();
  await answer(0, { people: [person('a@x')], more: true });
  await press('Show more');
  await type('b');
  await answer(1, { people: [person('late@x')], more: true });
  expect(listed()).toEqual(['a@x']);
  await answer(2, { people: [person('b@x')], more: true });
  await press('Show more');
  expect(server.questions.at(-1)?.asked).toEqual({ text: 'b', after: 'b@x' });

  // Pressed while another text is typed it still is about the list that shows.
  await answer(3, { people: [person('bb@x')], more: true });
  fireEvent.change(screen.getByLabelText('Search people'), { target: { value: 'c' } });
  await press('Show more');
  expect(server.questions.at(-1)?.asked).toEqual({ text: 'b', after: 'bb@x' });
  expect(listed()).toEqual(['b@x', 'bb@x']);
});

test('a page of the log that does not come leaves the list, and is asked for again', async () => {
  const entries = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const id = `entry ${from + i}`;
      return { id, at: 10_000 - from - i, by: 'boss', action: 'did', target: id };
    });
  show(<Log />);
  await act(async () => server.questions[0]?.refuse(new Error('down')));
  await press('Try again');
  await answer(1, { entries: entries(0, 50) });
  await press('Show more');
  await act(async () => server.questions[2]?.refuse(new Error('down')));
  expect(screen.getByRole('alert')).not.toBeNull();
  expect(document.querySelectorAll('tbody tr')).toHaveLength(50);
  await press('Try again');
  await answer(3, { entries: entries(50, 1) });
  expect(server.questions[3]?.asked).toEqual(server.questions[2]?.asked);
  expect(document.querySelectorAll('tbody tr')).toHaveLength(51);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('Show more')).toBeNull();
});
