import { expect, test } from 'vitest';
import { areaOf, isBad, rowsOf, shortPath } from './request-log.ts';

const request = {
  time: '2026-01-01T00:00:00Z',
  port: 'hosting',
  method: 'POST',
  path: '/google.firestore.v1.Firestore/Listen',
  caller: 'user',
  peer: '127.0.0.1:1',
  agent: null,
  status: 200,
  micros: 900,
  bytes: null,
};

test('an answer that ends later is one row, and the newest is first', () => {
  const rows = rowsOf([
    { number: 4, name: 'request', data: request },
    {
      number: 5,
      name: 'request',
      data: { ...request, path: '/demo/us-central1/echo', bytes: 12, status: 500 },
    },
    {
      number: 6,
      name: 'end',
      data: {
        request: 4,
        micros: 5_000,
        bytes: 70,
        complete: true,
        grpc: { status: '7', message: 'no' },
        reason: null,
      },
    },
    { number: 7, name: 'end', data: { request: 1, micros: 5_000, bytes: 70, complete: true, grpc: null } },
  ]);
  expect(rows.map((row) => [row.key, isBad(row), areaOf(row, 'demo')])).toEqual([
    ['5', true, 'functions'],
    ['4', true, 'documents'],
  ]);
  expect(rows[1]).toMatchObject({ open: false, endMicros: 5_000, bytes: 70, micros: 900 });
});

test.each([
  ['/v1/projects/demo/databases/(default)/documents/heroes/fox', '…/heroes/fox'],
  ['/v1/projects/demo/databases/second/documents:commit', 'second …/commit'],
  ['/databases/(default)/documents/heroes/fox', '…/heroes/fox'],
  ['/identitytoolkit.googleapis.com/v1/accounts:signUp', '…/accounts:signUp'],
  ['/v0/b/demo.appspot.com/o/covers%2Ffox.png', '…/covers%2Ffox.png'],
  ['/b/demo.firebasestorage.app/o/covers/fox.png', '…/covers/fox.png'],
  ['/b/other/o/covers/fox.png', '/b/other/o/covers/fox.png'],
  ['/demo/us-central1/echo', '/demo/us-central1/echo'],
])('%s is shown as %s', (path, short) => {
  expect(shortPath(path, 'demo')).toBe(short);
});
