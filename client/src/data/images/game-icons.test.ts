import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { writeGameIcons } from '../../../build/game-icons.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const out = path.relative(root, mkdtempSync(path.join(tmpdir(), 'tuckbox-icons-')));
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(path.join(root, out), { recursive: true, force: true });
});

test('every icon has an outline, an author and a licence, and is found by its words', async () => {
  writeGameIcons(root, out);
  const folder = path.join(root, out, 'game-icons');
  expect(readdirSync(folder)).toHaveLength(45);
  vi.stubGlobal('fetch', async (url: string) => {
    return new Response(readFileSync(path.join(folder, path.basename(url)), 'utf8'));
  });
  const { gameIcons, iconOutline, searchIcons } = await import('./game-icons.ts');
  const icons = await gameIcons();
  expect(icons).toHaveLength(4_134);
  expect(icons.every(({ author }) => author !== 'Unknown')).toBe(true);
  expect(new Set(icons.map(({ licence }) => licence))).toEqual(new Set(['CC BY 3.0', 'CC0 1.0']));
  expect(icons.filter(({ author }) => author === 'Delapouite').length).toBe(2_003);
  for (const icon of icons.filter((_, i) => i % 500 === 0)) {
    expect(await iconOutline(icon)).toMatch(/^[Mm]/);
  }
  const swords = searchIcons(icons, 'sword');
  expect(swords[0]?.name).toMatch(/(^|-)sword(-|$)/);
  expect(swords.length).toBeGreaterThan(30);
  expect(searchIcons(icons, 'brain Lorc').map(({ name }) => name)).toContain('brain');
  expect(searchIcons(icons, 'no such icon')).toEqual([]);
});
