import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = resolve(import.meta.dirname, '..');
/** A cut at the longest length of a name, a title, a description, a note, a tag or a word, which may halve an emoji. */
const CUT =
  /\.slice\(0, (?:MAX_|[\w.]*\.MAX_)\w*(?:NAME|TITLE|DESCRIPTION|NOTE|TAG|WORD)(?:_LENGTH)?(?: - \d+)?\)/;
/** Lists are cut at a length too. */
const OF_LIST = /MAX_NAMED|MAX_NOTES/;

test('no stored name is cut in the middle of a character: the server takes no half of one', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, lines: readFileSync(join(SOURCES, file), 'utf8').split('\n') }));
  const found = files.flatMap(({ file, lines }) =>
    lines.flatMap((line) => (CUT.test(line) && !OF_LIST.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
