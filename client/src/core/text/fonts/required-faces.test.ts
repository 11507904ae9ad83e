import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import library from '../../../../assets/font-library.json' with { type: 'json' };
import { buildFontPack, readFace, readPackedFace } from '../../../../scripts/fonts.mjs';
import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { type FaceFile, familyOf } from './catalogue.ts';
import { FontRegistry } from './font-registry.ts';
import { formsOf } from './forms-of.ts';
import { FontLoader } from './required-faces.ts';

const own = readFileSync(path.join(import.meta.dirname, '../../testing/fonts/tuckbox-test.otf'));

function written(family: string, fonts: Layout['fonts'] = []): Layout {
  const zone = newZone('text', 't', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  return { ...newLayout('Test'), fonts, zones: [{ ...zone, text: 'Owl', style: { ...zone.style, family } }] };
}

/** A loader over the installed fonts, and a log of the faces it read. @param packed the East Asian pack is there */
function loader({ packed = true } = {}) {
  const read: string[] = [];
  const fonts = new FontRegistry();
  const face = async (wanted: FaceFile): Promise<Uint8Array> => {
    read.push(wanted.file);
    if (wanted.file.startsWith('/fonts/cjk/')) return readPackedFace(wanted);
    return wanted.file.startsWith('/') ? own : readFace(wanted);
  };
  const list = async () => {
    read.push('library');
    return library.families.map(familyOf);
  };
  const pack = async () => {
    read.push('pack');
    return packed ? buildFontPack().families.map(familyOf) : [];
  };
  return { fonts, read, load: new FontLoader(fonts, face, { library: list, eastAsian: pack }) };
}

test('the library is asked for only by a layout that names one of its families, and once', async () => {
  const { fonts, read, load } = loader();
  await load.load(written('lora'), []);
  expect(read).not.toContain('library');
  await load.load(written('rye'), []);
  await load.load(written('bangers'), []);
  expect(read.filter((name) => name === 'library')).toHaveLength(1);
  expect(fonts.chain('rye', 400, false)?.first.face.id).toBe('rye-latin-400-normal');
});

test('a font of the layout’s own is read from where it is, and again where it was replaced', async () => {
  const { fonts, read, load } = loader();
  const font = { family: 'own-abc', name: 'Mine', url: '/v0/b/x/o/1', weight: 400, italic: false };
  await load.load(written('own-abc', [font]), []);
  const first = fonts.chain('own-abc', 400, false)?.first.face.id;
  expect(first).toMatch(/^own-abc-/);
  await load.load(written('own-abc', [{ ...font, url: '/v0/b/x/o/2' }]), []);
  expect(read).toEqual(expect.arrayContaining(['/v0/b/x/o/1', '/v0/b/x/o/2']));
  expect(fonts.chain('own-abc', 400, false)?.first.face.id).not.toBe(first);
});

test('a list that cannot be had is said so, and asked for again', async () => {
  const fonts = new FontRegistry();
  let answers = 0;
  const list = async () => {
    if (answers++ === 0) throw new Error('the server answered 503');
    return library.families.map(familyOf);
  };
  const load = new FontLoader(fonts, readFace, { library: list });
  await expect(load.load(written('no-such-font'), [])).rejects.toThrow(/list of fonts.*503/);
  await load.load(written('no-such-font'), []);
  expect(answers).toBe(2);
  expect(fonts.chain('no-such-font', 400, false)?.first.face.id).toMatch(/^inter-/);
});

/** Cards of one column that a zone shows. */
const cards = (...words: string[]) => words.map((word) => ({ cells: { name: word } }));
const packFiles = (read: readonly string[]): string[] =>
  read.filter((file) => file.startsWith('/fonts/cjk/')).map((file) => file.slice('/fonts/cjk/'.length));

describe('Chinese, Japanese and Korean', () => {
  test('without the pack its characters are missing, and nothing fails', async () => {
    const { fonts, read, load } = loader({ packed: false });
    await load.load(written('lora'), cards('火山'));
    await load.load(written('lora'), cards('火山', '雪女'));
    expect(read.filter((name) => name === 'pack')).toHaveLength(1);
    expect(fonts.chain('lora', 400, false, '', 'jp')?.links.some(({ face }) => face.has(0x706b))).toBe(false);
  });

  test('the pack is asked for by cards that need it, once, and gives the few files they need', async () => {
    const { read, load } = loader();
    await load.load(written('lora'), cards('Owl', 'Сова', 'שלום', 'นก'));
    expect(read).not.toContain('pack');
    await load.load(written('lora'), cards('ふくろう'));
    await load.load(written('lora'), cards('火山のふくろう'));
    expect(read.filter((name) => name === 'pack')).toHaveLength(1);
    const files = packFiles(read);
    expect(files.length).toBeLessThan(8);
    expect(files.every((file) => file.startsWith('noto-sans-jp-'))).toBe(true);
    // Every file once, though it has two weights.
    expect(new Set(files).size).toBe(files.length);
  });

  test('words that a formula may print in another language have their fonts', async () => {
    const { read, load } = loader();
    const [row] = cards('Owl');
    if (!row) throw new Error('no row');
    await load.load(written('lora'), [{ ...row, languages: { en: {}, ja: { n: 'ふくろう' } } }]);
    expect(packFiles(read)).not.toEqual([]);
  });

  test('the language decides between forms, kana and hangul where there is none', async () => {
    const familyOfFire = async (layout: Layout, words: string): Promise<string | undefined> => {
      const { fonts, load } = loader();
      const [row] = cards(words);
      if (!row) throw new Error('no row');
      await load.load(layout, [row]);
      const chain = fonts.chain('lora', 400, false, '', formsOf(layout, row));
      return chain?.links.find(({ face }) => face.has(0x706b))?.face.id.slice(0, 12);
    };
    expect(await familyOfFire(written('lora'), '火')).toBe('noto-sans-sc');
    expect(await familyOfFire(written('lora'), '火のカード')).toBe('noto-sans-jp');
    expect(await familyOfFire(written('lora'), '火 불')).toBe('noto-sans-kr');
    expect(await familyOfFire({ ...written('lora'), language: 'zh-Hant' }, '火')).toBe('noto-sans-tc');
    expect(await familyOfFire({ ...written('lora'), language: 'ja' }, '火')).toBe('noto-sans-jp');
  });

  test('a character that the own forms lack comes from the next', async () => {
    const { fonts, load } = loader();
    await load.load({ ...written('lora'), language: 'ja' }, cards('这')); // Simplified Chinese alone.
    const chain = fonts.chain('lora', 400, false, '', 'jp');
    expect(chain?.links.find(({ face }) => face.has(0x8fd9))?.face.id).toMatch(/^noto-sans-sc/);
  });

  test('a family of the pack can be that of a zone', async () => {
    const { fonts, load } = loader();
    await load.load(written('noto-sans-kr'), []);
    const first = fonts.chain('noto-sans-kr', 700, true)?.first;
    expect(first).toMatchObject({ slant: 0, embolden: 0 });
    expect(first?.face.id).toMatch(/^noto-sans-kr-.*@wght=700$/);
  });
});

test('words of a translation are set, too', async () => {
  const { fonts, load } = loader();
  await load.load(written('lora'), [{ cells: { name: 'Owl' }, words: { name: 'Сова' } }]);
  expect(fonts.chain('lora', 400, false)?.links.some(({ face }) => face.has(0x421))).toBe(true);
});
