'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { brokenLinks, unlisted } = require('./links');

const FILES = {
  'a.md': '[b](docs/b.md#two-words) [c](docs/c.md) `[d](d.md)` [web](https://example.org/x.md) [own](#top)\n# Top\n',
  'docs/b.md': '# Two words\n[up](../a.md) [no](../a.md#bottom)\n```\n# bottom\n[e](e.md)\n```\n[code](#bottom)\n',
};

test('links lead to files and headings', () => {
  const read = (file) => FILES[file];
  assert.deepEqual(brokenLinks('a.md', read), ['a.md: docs/c.md leads to no file']);
  assert.deepEqual(brokenLinks('docs/b.md', read), [
    'docs/b.md: ../a.md#bottom leads to no heading',
    'docs/b.md: #bottom leads to no heading',
  ]);
});

test('decisions have numbers of their own, and are in the index', () => {
  const index = '- [0001](0001-a.md): A';
  assert.deepEqual(unlisted(['0001-a.md', 'README.md'], index), []);
  assert.deepEqual(unlisted(['0001-a.md', '0001-b.md', 'c.md'], index), [
    'docs/decisions/README.md lacks 0001-b.md',
    'two decisions are number 0001',
    'docs/decisions/c.md has no number',
  ]);
});
