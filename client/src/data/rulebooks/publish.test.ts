import { beforeEach, expect, test, vi } from 'vitest';
import { RulebookError } from '../../core/book/document/error.ts';
import { LIMITS } from '../../core/book/document/limits.ts';
import type { Block, Inline } from '../../core/book/document/schema.ts';
import { parseEdition } from '../../core/book/edition/edition.ts';
import { sampleRulebook } from '../../core/testing/sample-rulebook.ts';
import type { BookPicture } from '../../workers/rulebook/rulebook-protocol.ts';
import type { Project } from '../project/open-project.ts';
import { publish, type ToPublish, unpublish } from './publish.ts';
import type { Published } from './shares.ts';

const world = vi.hoisted(() => ({
  share: undefined as unknown,
  deleted: [] as string[],
  updated: [] as string[],
  removed: [] as string[],
  stored: new Map<string, string>(),
}));

vi.mock('@sdk/firestore', () => ({
  doc: (_db: unknown, ...path: string[]) => path.join('/'),
  getDoc: async () => ({ data: () => ({ title: 'Rules', link: '' }) }),
  runTransaction: async (_db: unknown, run: (transaction: unknown) => Promise<string>) =>
    run({
      get: async (path: string) => ({
        exists: () => path.startsWith('projects/'),
        data: () => ({ title: 'Rules', link: '' }),
      }),
      set: () => undefined,
      update: (path: string) => world.updated.push(path),
    }),
  serverTimestamp: () => 0,
  writeBatch: () => ({
    delete: (path: string) => world.deleted.push(path),
    update: (path: string) => world.updated.push(path),
    commit: async () => undefined,
  }),
}));
vi.mock('../project/published.ts', () => ({
  newPublicFolder: () => ({
    path: 'projects/p/exports/ann/1',
    put: async (name: string, bytes: Uint8Array) => {
      world.stored.set(name, new TextDecoder().decode(bytes));
      return `/files/${name}`;
    },
  }),
  removePublicFolder: async (folder: string) => void world.removed.push(folder),
}));
vi.mock('./read-edition.ts', () => ({ readShare: async () => world.share }));

const project = {
  id: 'p',
  db: {},
  rulebook: (id: string) => `projects/p/rulebooks/${id}`,
} as unknown as Project;

const share = (of: Partial<Published>, before?: string) => ({
  projectId: 'p',
  folder: 'projects/p/exports/eve/2',
  before: before === undefined ? null : { folder: before },
  ...of,
});

beforeEach(() => {
  Object.assign(world, { share: undefined, deleted: [], updated: [], removed: [], stored: new Map() });
});

test('a closed link takes along the files of both editions', async () => {
  world.share = share({}, 'projects/p/exports/ann/1');
  await unpublish(project, 'r', 'link');
  expect(world.deleted).toEqual(['shares/link']);
  expect(world.updated).toEqual(['projects/p/rulebooks/r']);
  expect(world.removed).toEqual(['projects/p/exports/eve/2', 'projects/p/exports/ann/1']);
});

test.each([
  'projects/mine/images',
  'projects/mine/exports/ann/1',
  'users/ann/images',
  'projects/p/images',
  '',
])(
  'a folder that an editor put at a link, %s, is not emptied with the rights of whoever closes it',
  async (folder) => {
    world.share = share({ folder }, folder);
    await unpublish(project, 'r', 'link');
    expect(world.deleted).toEqual(['shares/link']);
    expect(world.removed).toEqual([]);
  },
);

test('the link of another project that a rulebook names stays', async () => {
  world.share = share({ projectId: 'mine', folder: 'projects/mine/exports/ann/1' });
  await unpublish(project, 'r', 'link');
  expect(world.deleted).toEqual([]);
  expect(world.updated).toEqual(['projects/p/rulebooks/r']);
  expect(world.removed).toEqual([]);
});

/** A text whose set-up picture has these words. */
const withSetUp = (words: readonly string[]): ToPublish => ({
  book: sampleRulebook(),
  facts: {
    values: [],
    components: [],
    setUp: { w: 10, h: 10, parts: [], legend: words.map((one) => ({ words: one, x: 1, y: 1 })) },
  },
  pictures: [
    {
      kind: 'setup',
      name: '',
      type: 'image/png',
      bytes: new Uint8Array(1),
      w: 1,
      h: 1,
      alt: words.join('\n'),
    },
  ],
  name: '',
});
const publishing = (text: ToPublish) =>
  publish(project, 'r', text, { signal: new AbortController().signal, onProgress: () => undefined });

test('what is published can be read, however much lies on the table', async () => {
  await publishing(withSetUp(Array.from({ length: 200 }, () => 'x'.repeat(LIMITS.title))));
  const { setUp } = parseEdition(JSON.parse(world.stored.get('rulebook.json') ?? ''));
  expect(setUp?.legend).toHaveLength(200);
  expect(world.removed).toEqual([]);
});

test('what nobody could read is not published, and nothing of it is left', async () => {
  const long = withSetUp(['x'.repeat(LIMITS.title + 1)]);
  await expect(publishing(long)).rejects.toThrow(/^This text is not published.*setUp\.legend\.0\.words/);
  expect(world.stored.has('rulebook.json')).toBe(false);
  expect(world.removed).toEqual(['projects/p/exports/ann/1']);
  expect(world.updated).toEqual([]);
});

test('a refused text names the block that has the fault, by its first words and its heading', async () => {
  const legend = withSetUp(['x'.repeat(LIMITS.title + 1)]);
  const heading: Block = {
    type: 'heading',
    id: 'h',
    level: 1,
    content: [{ type: 'text', text: 'How to begin' }],
  };
  const said = {
    type: 'text',
    text: 'There are so many words that no block could tell them all.',
  } satisfies Inline;
  const cases: readonly (readonly [ToPublish, Block, RegExp])[] = [
    [
      legend,
      { type: 'live', id: 'b', show: 'setup' },
      /in the set-up picture, below the heading “How to begin”\./,
    ],
    [
      {
        ...legend,
        facts: { values: [['1 + 1', { text: 'x'.repeat(20_001) }]], components: [] },
        pictures: [],
      },
      { type: 'paragraph', id: 'b', content: [said, { type: 'value', formula: '1 + 1' }] },
      /in “There are so many words that no block co…”, below the heading/,
    ],
    [
      { ...legend, facts: { values: [], components: [] }, pictures: [] },
      { type: 'paragraph', id: 'b', content: [{ type: 'text', text: 'x'.repeat(LIMITS.text + 1) }] },
      /in “x{40}…”, below the heading “How to begin”/,
    ],
    [
      {
        ...legend,
        facts: { values: [], components: [] },
        pictures: [{ ...legend.pictures[0], kind: 'figure', name: 'sea.png', w: 0 } as BookPicture],
      },
      { type: 'figure', id: 'b', source: 'sea.png', alt: 'A sea', place: 'column', width: 1, caption: [] },
      /in the picture of “A sea”, below/,
    ],
  ];
  for (const [text, block, words] of cases) {
    const book = { ...text.book, blocks: [heading, block] };
    const refusal = await publishing({ ...text, book }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RulebookError);
    expect(refusal).toMatchObject({ block: 'b', message: expect.stringMatching(words) });
  }
});
