// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSite } from './site.ts';

const told = vi.hoisted(() => ({ next: (_snapshot: { data: () => unknown }) => {} }));

vi.mock('../server/database.ts', () => ({ getDb: () => ({}) }));
vi.mock('@sdk/firestore', () => ({
  doc: () => ({}),
  onSnapshot: (_document: unknown, next: typeof told.next) => {
    told.next = next;
    return () => {};
  },
}));

function Notice({ of, signedIn }: { of: string; signedIn: boolean }) {
  return (
    <p>
      {of}: {useSite(signedIn).notice.text}
    </p>
  );
}

test('who asks after the answer came is told too', () => {
  const both = (late: boolean) => (
    <>
      <Notice of="early" signedIn />
      <Notice of="late" signedIn={late} />
    </>
  );
  const { rerender } = render(both(false));
  act(() => told.next({ data: () => ({ notice: { text: 'Closed on Sunday.', level: 'info' } }) }));
  screen.getByText('early: Closed on Sunday.');
  rerender(both(true));
  expect(screen.getByText('late: Closed on Sunday.')).toBeDefined();
});
