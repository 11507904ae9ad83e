import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { ExportProgress, NamedRequest } from './export-protocol.ts';
import { type SeveralTools, writeSeveral } from './several.ts';

const file = (name: string): NamedRequest => ({
  name,
  request: { kind: 'bundle', entries: [{ kind: 'text', name, text: name }] },
});
const nameOf = (request: NamedRequest['request']): string =>
  request.kind === 'bundle' ? (request.entries[0]?.name ?? '') : '';

const issue = { zone: 'z', code: 'missing-image', message: 'A picture is missing.' } as const;

/** Files of two chunks each, written into memory. */
async function written(files: readonly NamedRequest[], rest: Partial<SeveralTools> = {}) {
  const chunks: Uint8Array[] = [];
  const summary = await writeSeveral(files, {
    make: async (request, write, onProgress) => {
      onProgress({ done: 0, total: 2 });
      await write(new TextEncoder().encode(`${nameOf(request)} 1;`));
      onProgress({ done: 1, total: 2 });
      await write(new TextEncoder().encode('2'));
      onProgress({ done: 2, total: 2 });
      return { pages: 2, cards: 3, issues: [{ where: 'Heroes', card: 0, issue }] };
    },
    created: new Date(0),
    write: async (chunk) => void chunks.push(chunk.slice()),
    ...rest,
  });
  return { summary, files: unzipSync(Buffer.concat(chunks)) };
}

test('each file is whole in the ZIP, and the remarks name their file', async () => {
  const progress: ExportProgress[] = [];
  const { summary, files } = await written([file('en.pdf'), file('de.pdf'), file('fr.pdf')], {
    onProgress: (one) => progress.push(one),
  });
  const texts = Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
  expect(texts).toEqual(['en.pdf', 'de.pdf', 'fr.pdf'].map((name) => [name, `${name} 1;2`]));
  expect([summary.pages, summary.cards]).toEqual([6, 9]);
  expect(summary.issues.map(({ where }) => where)).toEqual([
    'en.pdf: Heroes',
    'de.pdf: Heroes',
    'fr.pdf: Heroes',
  ]);
  expect(progress.map(({ done }) => done)).toEqual([0, 1, 2, 2, 3, 4, 4, 5, 6]);
  expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([6]));
});

test('a file that cannot be made is named, and none follows it', async () => {
  const begun: string[] = [];
  const made = written([file('en.pdf'), file('de.pdf'), file('fr.pdf')], {
    make: async (request, write) => {
      begun.push(nameOf(request));
      await write(Uint8Array.of(1));
      if (nameOf(request) === 'de.pdf') throw new Error('a font is missing');
      return { pages: 1, cards: 1, issues: [] };
    },
  });
  await expect(made).rejects.toThrow('de.pdf: a font is missing');
  expect(begun).toEqual(['en.pdf', 'de.pdf']);
});

test('a full disk ends the file under way', async () => {
  let ended: unknown;
  const made = written([file('en.pdf')], {
    make: async (_, write) => {
      try {
        for (;;) await write(new Uint8Array(1_000));
      } catch (error) {
        ended = error;
        throw error;
      }
    },
    write: async () => {
      throw new Error('no room is left');
    },
  });
  await expect(made).rejects.toThrow('no room is left');
  await expect.poll(() => ended).toBeDefined();
});
