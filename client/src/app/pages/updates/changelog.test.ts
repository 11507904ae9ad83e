import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseChangelog } from './changelog.ts';

const CHANGELOG = readFileSync(new URL('../../../../../CHANGELOG.md', import.meta.url), 'utf8');
const PACKAGE = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));

describe('the changelog', () => {
  it('has the release that this is, or what the next one brings, first', () => {
    expect([PACKAGE.version, 'Unreleased']).toContain(parseChangelog(CHANGELOG)[0]?.version);
    expect(parseChangelog(CHANGELOG).map(({ version }) => version)).toContain(PACKAGE.version);
  });

  it('gives each release a date, a title and changes, newest first', () => {
    const released = parseChangelog(CHANGELOG).filter(({ version }) => version !== 'Unreleased');
    for (const release of released) {
      expect(release.date, release.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(release.title, release.version).not.toBe('');
      expect(release.changes.length, release.version).toBeGreaterThan(0);
    }
    const dates = released.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it('joins the lines of an item', () => {
    expect(
      parseChangelog('# Changelog\n\nWords.\n\n## Unreleased\n\n- One\n  and more.\n- **Two**\n'),
    ).toEqual([{ version: 'Unreleased', title: '', changes: ['One and more.', '**Two**'] }]);
  });

  it('refuses a line that would be lost', () => {
    expect(() => parseChangelog('## 1.0.0 (2027-01-01): One\nlost\n')).toThrow('CHANGELOG.md:2');
    expect(() => parseChangelog('## 1.0.0 (2027-01-01): One\n\n## 0.9 (2026-01-01): Bad\n')).toThrow(':3');
  });
});
