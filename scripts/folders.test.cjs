'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { MOST, fullFolders } = require('./folders');

/** So many files of a folder, every other one a test. */
const filesOf = (folder, count) =>
  Array.from({ length: count }, (_, at) => `${folder}/f${at >> 1}${at % 2 ? '.test' : ''}.ts`);

test('a folder holds so many files and no more, tests included', () => {
  assert.deepEqual(fullFolders(filesOf('client/src/core', MOST), []), []);
  assert.deepEqual(fullFolders(filesOf('client/src/core', MOST + 1), []), [
    `client/src/core holds ${MOST + 1} source files, more than ${MOST}: put those of one notion, each with its tests, into ` +
      'a folder named for it.',
  ]);
});

test('folders inside count for themselves, and what is no source counts for nothing', () => {
  assert.deepEqual(fullFolders([...filesOf('a', MOST), ...filesOf('a/b', MOST)], []), []);
  const snapshots = Array.from({ length: MOST }, (_, at) => `a/snapshots/s${at}.snap`);
  assert.deepEqual(fullFolders([...snapshots, 'a/snapshots/README.md'], []), []);
});

test('files at the root are those of a folder too', () => {
  const files = filesOf('a', MOST + 1).map((file) => file.slice(2));
  assert.match(fullFolders(files, [])[0], /^\. holds 26 /);
});

test('an exception holds to its own number, and goes when nothing needs it', () => {
  const reason = 'Still to be divided.';
  const files = filesOf('a', MOST + 2);
  assert.deepEqual(fullFolders(files, [{ folder: 'a', reason }]), []);
  assert.deepEqual(fullFolders(files, [{ folder: 'a', most: MOST + 2, reason }]), []);
  assert.match(fullFolders(files, [{ folder: 'a', most: MOST + 1, reason }])[0], /^a holds 27 source files, more than 26: /);
  assert.deepEqual(fullFolders(filesOf('a', MOST), [{ folder: 'a', reason }]), [
    'a needs no exception any more: remove it from scripts/folders.',
  ]);
});
