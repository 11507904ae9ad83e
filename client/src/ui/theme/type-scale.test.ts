import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = path.resolve(import.meta.dirname, '../..');
/** A size that grows with the window is no step of the scale. */
const GROWING = /clamp\(/;

const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.css') && file !== path.join('ui', 'theme', 'tokens.css'),
);

describe('the type scale', () => {
  it('is read from style sheets', () => {
    expect(sheets.length).toBeGreaterThan(20);
  });

  it.each(sheets)('gives %s every size of its texts', (file) => {
    const lines = readFileSync(path.join(SOURCES, file), 'utf8').split('\n');
    const own = lines.filter(
      (line) =>
        /^\s*font(-size)?:\s*(\d{3}\s+|italic\s+|bold\s+)*[\d.]+(px|pt|rem)/.test(line) &&
        !GROWING.test(line),
    );
    expect(own, 'sizes come from --text-0 to --text-12 in ui/theme/tokens.css').toEqual([]);
  });
});
