import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnChange } from './own-changes.ts';

let person = 'ann';
vi.mock('../account/session.ts', () => ({ sessionUser: () => ({ uid: person }) }));

/** Locks that open pages hold. */
const held = new Set<string>();
const locks = {
  request: async (key: string, ...more: [{ ifAvailable: true }, unknown] | [unknown]) => {
    const work = more.at(-1) as (lock: object | null) => Promise<void>;
    if (more.length === 2) return work(held.has(key) ? null : {});
    held.add(key);
    return work({});
  },
};
vi.stubGlobal('navigator', { locks });

/** A page that has just been opened in the same browser. Those before it are closed, unless they stay. */
async function openPage(others: 'close' | 'stay' = 'close') {
  if (others === 'close') held.clear();
  vi.resetModules();
  return import('./noted-changes.ts');
}

type Page = Awaited<ReturnType<typeof openPage>>;

/** The changes that a page works on, and is done with then. */
async function worked(page: Page, project = 'p'): Promise<OwnChange[]> {
  const found: OwnChange[] = [];
  await page.withOwnChanges(project, async (changes) => void found.push(...changes.all()));
  return found;
}

const CARD: OwnChange = ['card', 'cards', '1', { art: 'fox' }];
const SCENE: OwnChange = ['layout', 'front', { zones: [] }];
const note = (page: Page, change: OwnChange, project = 'p') =>
  page.noteOwnChange(project, (changes) => changes.add(change));

beforeEach(async () => {
  person = 'ann';
  await worked(await openPage());
});

test('a page that is closed leaves its changes to the next one of the project, once', async () => {
  const first = await openPage();
  await note(first, CARD);
  await note(first, SCENE);
  await note(first, CARD, 'other');
  expect(await worked(await openPage())).toEqual([CARD, SCENE]);
  expect(await worked(await openPage())).toEqual([]);
  expect(await worked(await openPage(), 'other')).toEqual([CARD]);
});

test('a page that is closed while it works leaves what it worked on', async () => {
  const first = await openPage();
  await note(first, CARD);
  void first.withOwnChanges('p', () => new Promise(() => undefined));
  await note(first, SCENE);
  expect(await worked(await openPage())).toEqual([CARD, SCENE]);
});

test('changes whose work failed are worked on again, by this page and by the next', async () => {
  const first = await openPage();
  await note(first, CARD);
  await expect(first.withOwnChanges('p', () => Promise.reject(new Error('offline')))).rejects.toThrow(
    'offline',
  );
  await note(first, ['card', 'cards', '1', { art: 'elk', name: 'a' }]);
  // The first change of a place says how it was.
  const all: OwnChange[] = [['card', 'cards', '1', { art: 'fox', name: 'a' }]];
  expect(await worked(await openPage())).toEqual(all);
  expect(await worked(first)).toEqual(all);
});

test('changes of somebody else in this browser are left alone', async () => {
  await note(await openPage(), CARD);
  person = 'ben';
  expect(await worked(await openPage())).toEqual([]);
  person = 'ann';
  expect(await worked(await openPage())).toEqual([CARD]);
});

test('a page that is still open keeps its changes, unless the browser has no locks', async () => {
  const first = await openPage();
  await note(first, CARD);
  expect(await worked(await openPage('stay'))).toEqual([]);
  vi.stubGlobal('navigator', {});
  expect(await worked(await openPage('stay'))).toEqual([CARD]);
  vi.stubGlobal('navigator', { locks });
  expect(await worked(first)).toEqual([CARD]);
});

test('a kept change that cannot be read does not take the others with it', async () => {
  const { createStore, set } = await import('idb-keyval');
  await set('ann/p/gone', [CARD, ['hat', 1], SCENE], createStore('tuckbox-own-changes', 'changes'));
  expect(await worked(await openPage())).toEqual([CARD, SCENE]);
});

test('whatever is noted, and wherever pages end, each change is worked on at least once', async () => {
  const step = fc.oneof(
    fc.nat({ max: 5 }).map((card) => ({ kind: 'note', card }) as const),
    fc.constantFrom({ kind: 'close' } as const, { kind: 'work' } as const, { kind: 'fail' } as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      let page = await openPage();
      await worked(page);
      const left = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'note') {
          await note(page, ['card', 'cards', `${one.card}`, null]);
          left.add(`${one.card}`);
        } else if (one.kind === 'close') page = await openPage();
        else if (one.kind === 'fail') {
          await page.withOwnChanges('p', () => Promise.reject(new Error('offline'))).catch(() => undefined);
        } else {
          const found = (await worked(page)).map(([, , card]) => card);
          expect(new Set(found)).toEqual(left);
          left.clear();
        }
      }
      expect(new Set((await worked(await openPage())).map(([, , card]) => card))).toEqual(left);
    }),
    { numRuns: 30 },
  );
});
