import { expect, test } from 'vitest';
import type { ProjectBundle } from '../../core/archive/bundle.ts';
import { fontsOf } from '../../core/archive/fonts.ts';
import { fromFiles, toFiles } from '../../core/archive/format.ts';
import { unzip, zip } from '../../core/archive/zip.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { withFonts } from '../project/transfer/fonts-out.ts';
import { toJson } from '../project/transfer/json.ts';
import { fontFileName, storagePathOf } from './own-fonts.ts';

const A = '/v0/b/demo/o/projects%2Fp%2Ffonts%2Fa.otf?alt=media&token=1';
const B = '/v0/b/demo/o/users%2Fann%2Ffonts%2Fb.woff2?alt=media&token=2';
const ELSEWHERE = 'https://fonts.example.org/x.woff2';
const font = (url: string) => ({ family: 'own-x', name: 'Runes', url, weight: 400, italic: false });

function bundle(...layouts: string[][]): ProjectBundle {
  return {
    project: { name: 'Zoo', description: '', tags: [], coverColor: '', cover: 'colour' },
    notes: '',
    components: [],
    layouts: layouts.map((urls, i) => ({
      key: `l${i}`,
      name: `Layout ${i}`,
      scene: toJson({ ...newLayout(`Layout ${i}`), fonts: urls.map(font) }),
    })),
    comments: [],
    presets: [],
    runs: [],
    rulebooks: [],
    images: [],
  };
}

const files: Record<string, Uint8Array<ArrayBuffer>> = { [A]: Uint8Array.of(1, 2), [B]: Uint8Array.of(3) };
const read = async (url: string) => {
  const bytes = files[url];
  if (!bytes) throw new Error('its file is not on the server any more.');
  return bytes;
};

test('an archive has the font files that layouts name, each once, and no address of this server', async () => {
  const out = await withFonts(bundle([A, B], [A, ELSEWHERE]), read);
  const packed = zip(toFiles(out));
  const back = fromFiles(unzip(packed));
  expect(JSON.stringify(back.layouts)).not.toContain('/v0/b/');
  const [one, two] = [await fontFileName(Uint8Array.of(1, 2), A), await fontFileName(Uint8Array.of(3), B)];
  expect([one, two].map((name) => name.split('.')[1])).toEqual(['otf', 'woff2']);
  expect(back.layouts.map(({ scene }) => fontsOf(scene))).toEqual([
    [`fonts/${one}`, `fonts/${two}`],
    [`fonts/${one}`, ELSEWHERE],
  ]);
  expect(back.fonts?.map(({ path, bytes }) => [path, [...bytes]]).sort()).toEqual(
    [
      [one, [1, 2]],
      [two, [3]],
    ].sort(),
  );
  // Whatever the addresses were, the archive is the same.
  const moved = { ...files, [A.replace('token=1', 'token=9')]: Uint8Array.of(1, 2) };
  const again = await withFonts(
    bundle([A.replace('token=1', 'token=9'), B], [A, ELSEWHERE]),
    async (url) => moved[url] ?? new Uint8Array(),
  );
  expect(zip(toFiles(again))).toEqual(packed);
});

test('a project without fonts of its own stays as it is, and a font that is gone is named', async () => {
  const plain = bundle([ELSEWHERE]);
  expect(await withFonts(plain, read)).toBe(plain);
  await expect(withFonts(bundle([A.replace('a.otf', 'gone.otf')]), read)).rejects.toThrow(
    'A font of the layout “Layout 0” cannot be read: its file is not on the server any more.',
  );
});

test('the file of an address is found', () => {
  expect(storagePathOf(A)).toBe('projects/p/fonts/a.otf');
  for (const none of ['', ELSEWHERE, '/v0/b/demo/o/%E0%A4%A']) expect(storagePathOf(none)).toBe('');
});
