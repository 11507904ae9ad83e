import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  copiedPackages,
  crateComponents,
  describe,
  gameIcons,
  noticesText,
  npmComponents,
  packageOf,
} from './notices.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** A package's folder with these files. */
function packageWith(files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'notices-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

test('a source file belongs to the innermost package', () => {
  expect(packageOf('node_modules/@a/b/node_modules/c/index.js')).toBe('node_modules/@a/b/node_modules/c');
  expect(packageOf('node_modules/@a/b/lib/index.js')).toBe('node_modules/@a/b');
  expect(packageOf('src/app/main.tsx')).toBeUndefined();
});

test('of several licences to choose from, the MIT text is passed on; notices always are', () => {
  const folder = packageWith({ 'LICENSE-APACHE': 'apache', 'LICENSE-MIT': 'mit', 'index.js': '' });
  expect(describe({ name: 'a', version: '1', licence: 'MIT OR Apache-2.0', folder }).texts).toEqual(['mit']);
  expect(describe({ name: 'a', version: '1', licence: 'Apache-2.0', folder }).texts).toEqual([
    'apache',
    'mit',
  ]);
});

test('a package without a licence file gets the text of its licence, with its author', () => {
  const folder = packageWith({});
  const { texts } = describe({ name: 'a', version: '1', licence: 'MIT', holder: 'Ada', folder });
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('Copyright (c) Ada');
});

test('nothing ships without a licence', () => {
  const folder = packageWith({});
  expect(() => describe({ name: 'a', version: '1', licence: 'unknown', folder })).toThrow(
    'a 1 (unknown) has no licence text',
  );
});

test('a text that several share is printed once, after the names of all', () => {
  const component = (name, text) => ({ name, version: '1', licence: 'MIT', texts: [text] });
  const text = noticesText([
    { title: 'One', components: [component('b', 'same  text'), component('a', 'same\ntext')] },
    { title: 'Two', components: [component('c', 'other')] },
  ]);
  expect(text.match(/same\s+text/g)).toHaveLength(1);
  expect(text).toContain('\na 1, b 1\n');
  expect(text.indexOf('\na 1 (MIT)')).toBeLessThan(text.indexOf('\nb 1 (MIT)'));
});

test('every crate of the server and every copied package has its licence', () => {
  const crates = crateComponents(root).map(({ name }) => name);
  expect(crates).toEqual(expect.arrayContaining(['sled', 'fjall']));
  // Of tests and of the build alone.
  expect(crates).not.toContain('proptest');
  expect(crates).not.toContain('tonic-prost-build');
  const copied = npmComponents(root, [], copiedPackages(root)).map(({ name }) => name);
  expect(copied).toContain('@fontsource/inter');
  expect(gameIcons(root).texts[0]).toContain('by Delapouite, Lorc, ');
});

test('NOTICE names every font', () => {
  const notice = readFileSync(path.join(root, '../NOTICE'), 'utf8').replace(/\s+/g, ' ');
  const families = ['fonts.json', 'font-library.json'].flatMap(
    (file) => JSON.parse(readFileSync(path.join(root, 'assets', file), 'utf8')).families,
  );
  const missing = families.filter(
    ({ name }) => !notice.includes(` ${name},`) && !notice.includes(` ${name}.`),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});
