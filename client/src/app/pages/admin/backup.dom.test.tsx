// @vitest-environment happy-dom
/** The line about the last backup. */

import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { BackupStatus } from '../../../data/admin/admin-calls.ts';
import { BackupLine } from './backup.tsx';

const server = vi.hoisted(() => ({ reply: undefined as BackupStatus | undefined }));
vi.mock('../../../data/admin/admin-calls.ts', () => ({
  readBackup: async () => {
    if (!server.reply) throw new Error('down');
    return server.reply;
  },
}));
vi.mock('../projects/project-tile.tsx', () => ({ ago: () => '3 hours ago' }));

afterEach(cleanup);

const last = { time: 1, place: '/mnt/backups', documents: 4, files: 2, bytes: 2048 };
const show = async (reply?: BackupStatus) => {
  server.reply = reply;
  const { container } = render(<BackupLine />);
  await act(async () => {});
  return container.textContent;
};

test('a recent backup is told in one line', async () => {
  expect(await show({ stored: true, overdue: false, last, now: 2 })).toBe(
    'Last backup 3 hours ago: 2 KB in /mnt/backups',
  );
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a backup dated in the future says so, and not when it was', async () => {
  const words = await show({ stored: true, overdue: true, last: { ...last, time: 3_600_000 }, now: 2 });
  expect(words).toMatch(
    /^The last backup is dated .*, which is in the future: the server’s clock was or is wrong/,
  );
  expect(words).not.toContain('ago');
});

test('none for a week is a warning that says what to do', async () => {
  expect(await show({ stored: true, overdue: true, last, now: 2 })).toContain('tuckbox backup DIR');
  expect(screen.getByRole('alert').textContent).toContain('3 hours ago');
  cleanup();
  await show({ stored: true, overdue: true, last: null, now: 2 });
  expect(screen.getByRole('alert').textContent).toContain('There is no backup yet.');
});

test('a new server is not warned about, and one in memory has no backups', async () => {
  expect(await show({ stored: true, overdue: false, last: null, now: 2 })).toBe('There is no backup yet.');
  cleanup();
  expect(await show({ stored: false, overdue: false, last: null, now: 0 })).toBe('');
});

test('a failure is told', async () => {
  expect(await show()).toBe('The state of backups could not be read.');
});
