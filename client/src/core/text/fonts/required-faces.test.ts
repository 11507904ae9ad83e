import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import library from '../../../../assets/font-library.json' with { type: 'json' };
import { readFace } from '../../../../scripts/fonts.mjs';
import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { type FaceFile, familyOf } from './catalogue.ts';
import { FontRegistry } from './font-registry.ts';
import { FontLoader } from './required-faces.ts';

const own = readFileSync(path.join(import.meta.dirname, '../../testing/fonts/tuckbox-test.otf'));

function written(family: string, fonts: Layout['fonts'] = []): Layout {
  const zone = newZone('text', 't', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  return { ...newLayout('Test'), fonts, zones: [{ ...zone, text: 'Owl', style: { ...zone.style, family } }] };
}

/** A loader over the installed fonts, and a log of the faces it read. */
function loader() {
  const read: string[] = [];
  const fonts = new FontRegistry();
  const face = async (wanted: FaceFile): Promise<Uint8Array> => {
    read.push(wanted.file);
    return wanted.file.startsWith('/') ? own : readFace(wanted);
  };
  const list = async () => {
    read.push('library');
    return library.families.map(familyOf);
  };
  return { fonts, read, load: new FontLoader(fonts, face, list) };
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
  const load = new FontLoader(fonts, readFace, async () => {
    if (answers++ === 0) throw new Error('the server answered 503');
    return library.families.map(familyOf);
  });
  await expect(load.load(written('no-such-font'), [])).rejects.toThrow(/list of fonts.*503/);
  await load.load(written('no-such-font'), []);
  expect(answers).toBe(2);
  expect(fonts.chain('no-such-font', 400, false)?.first.face.id).toMatch(/^inter-/);
});
