import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOver, totalsOf, type UploadItem } from './upload-item.ts';
import type { Placed } from './upload-plan.ts';
import { type NewUpload, PARALLEL_UPLOADS, type UploadEnvironment, UploadQueue } from './upload-queue.ts';

class Lost extends Error {}

/** A server and a disk that outlive the page, and fail when they are told to. */
class World {
  readonly images = new Map<string, Placed>();
  readonly kept = new Map<string, { item: UploadItem; blob: Blob }>();
  readonly files = new Set<string>();
  sends = 0;
  atOnce = 0;
  most = 0;
  nextId = 1;
  /** Outcome of each request: answered, never arrived, or lost on the way back. */
  fate: () => 'ok' | 'lost-before' | 'lost-after' = () => 'ok';
  /** Bytes of a content to which the library says no. */
  refused = new Set<string>();

  /** @param page once it is closed it does nothing more; what it has sent arrives all the same */
  environment(page = { closed: false }): UploadEnvironment {
    const perhaps = async (work: () => void): Promise<void> => {
      await Promise.resolve();
      const fate = this.fate();
      if (fate === 'lost-before') throw new Lost('no answer');
      work();
      if (fate === 'lost-after') throw new Lost('no answer');
    };
    return {
      restore: async () => [...this.kept.values()].map(({ item }) => item),
      keep: async (files) => {
        for (const { item, blob } of files) this.kept.set(item.id, { item, blob });
        return true;
      },
      note: (item) => {
        const kept = this.kept.get(item.id);
        if (kept && !page.closed) this.kept.set(item.id, { ...kept, item });
      },
      drop: (ids) => {
        for (const id of page.closed ? [] : ids) this.kept.delete(id);
      },
      blob: async (id) => this.kept.get(id)?.blob,
      images: async () => [...this.images.values()],
      prepare: async (blob) => ({
        blob,
        hash: await blob.text(),
        type: 'image/png',
        ending: '.png',
        w: 1,
        h: 1,
        converted: false,
      }),
      send: async (item, content) => {
        this.atOnce++;
        this.most = Math.max(this.most, this.atOnce);
        try {
          await perhaps(() => {
            if (this.refused.has(content.hash)) throw new Error('The image is damaged.');
            this.sends++;
            this.files.add(item.id);
          });
          return { file: item.id, url: `/files/${item.id}` };
        } finally {
          this.atOnce--;
        }
      },
      add: (item, path, { hash, file, url }) =>
        perhaps(() => this.images.set(item.id, { id: item.id, path, hash, file, url })),
      replace: (_, image, { hash, file, url }) =>
        perhaps(() => this.images.set(image.id, { ...image, hash, file, url })),
      isTransient: (error) => error instanceof Lost,
      describe: (error) => (error as Error).message,
      newId: () => `u${this.nextId++}`,
      soon: (callback) => queueMicrotask(callback),
      wait: async () => {},
    };
  }
}

const upload = (path: string, content: string, more: Partial<NewUpload> = {}): NewUpload => ({
  path,
  blob: new Blob([content]),
  ...more,
});

/** Lets everything that can go on without waiting go on. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

async function settled(queue: UploadQueue): Promise<readonly UploadItem[]> {
  await turn();
  const { items } = queue.snapshot();
  if (items.length > 0 && items.every(isOver)) return items;
  return new Promise((resolve) => {
    const stop = queue.subscribe(() => {
      const now = queue.snapshot().items;
      if (!now.every(isOver)) return;
      stop();
      resolve(now);
    });
  });
}

const paths = (world: World) => [...world.images.values()].map(({ path }) => path).sort();

describe('uploads', () => {
  test.each([1, 2, 3])('a file that was sent in vain %i times keeps its name', async (times) => {
    const world = new World();
    let sent = 0;
    world.fate = () => (sent++ < times ? 'lost-before' : 'ok');
    const queue = new UploadQueue(world.environment());
    await queue.add('image', [upload('Art/owl.png', 'an owl')]);
    await settled(queue);
    expect(sent).toBeGreaterThan(times);
    expect(paths(world)).toEqual(['Art/owl.png']);
  });

  test('each file becomes one image; equal content is sent once', async () => {
    const world = new World();
    const queue = new UploadQueue(world.environment());
    await queue.add('image', [
      ...Array.from({ length: 12 }, (_, i) => upload(`Art/${i}.png`, `content ${i % 6}`)),
      upload('Art/0.png', 'content 0'),
    ]);
    const items = await settled(queue);
    expect(paths(world)).toHaveLength(12);
    expect(world.sends).toBe(6);
    expect(world.most).toBeLessThanOrEqual(PARALLEL_UPLOADS);
    expect(items.map(({ state }) => state).sort()).toEqual([...Array(12).fill('done'), 'same']);
    expect(world.kept.size).toBe(0);
    expect(totalsOf(items)).toMatchObject({ files: 13, finished: 13, left: 0, failed: 0 });
  });

  test.each([
    ['keep-both', ['a (2).png', 'a.png'], 'done', 'old'],
    ['replace', ['a.png'], 'done', 'new'],
    ['skip', ['a.png'], 'skipped', 'old'],
  ] as const)('a name that is taken: %s', async (ifTaken, expected, state, content) => {
    const world = new World();
    const queue = new UploadQueue(world.environment());
    await queue.add('image', [upload('a.png', 'old')]);
    await settled(queue);
    const [id = ''] = await queue.add('image', [upload('A.PNG'.toLowerCase(), 'new')], ifTaken);
    expect((await queue.over(id)).state).toBe(state);
    expect(paths(world)).toEqual(expected);
    expect(world.images.get('u1')?.hash).toBe(content);
  });

  test('a file that is no image fails for good and stops nobody', async () => {
    const world = new World();
    world.refused.add('bad');
    const queue = new UploadQueue(world.environment());
    const [bad = ''] = await queue.add('image', [upload('x.png', 'bad'), upload('y.png', 'good')]);
    await settled(queue);
    expect(await queue.over(bad)).toMatchObject({ state: 'failed', mayRetry: false });
    expect(paths(world)).toEqual(['y.png']);
  });

  test('what was called off stays in the list and can be taken up again', async () => {
    const world = new World();
    const queue = new UploadQueue(world.environment());
    await queue.add(
      'image',
      Array.from({ length: 20 }, (_, i) => upload(`${i}.png`, `${i}`)),
    );
    queue.cancel();
    const cancelled = (await settled(queue)).filter(({ state }) => state === 'cancelled');
    expect(cancelled.length).toBeGreaterThan(0);
    queue.retry();
    await settled(queue);
    expect(paths(world)).toHaveLength(20);
  });
});

test('whatever is lost, paused, called off or closed: in the end every file is there once', async () => {
  const fate = fc.constantFrom('ok', 'ok', 'ok', 'lost-before', 'lost-after');
  const deed = fc.constantFrom('pause', 'cancel', 'reload', 'nothing');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(7), fc.nat(3)), { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fate),
      fc.array(deed, { maxLength: 6 }),
      async (files, fates, deeds) => {
        const world = new World();
        // Now and then everything goes well, so that it ends.
        let request = 0;
        world.fate = () => (++request % 4 === 0 ? 'ok' : (fates.next().value ?? 'ok'));
        let page = { closed: false };
        let queue = new UploadQueue(world.environment(page));
        await queue.add(
          'image',
          files.map(([name, content]) => upload(`${name}.png`, `${content}`)),
        );
        for (const one of deeds) {
          for (let i = 0; i < 7; i++) await Promise.resolve();
          if (one === 'pause') {
            queue.pause();
            await Promise.resolve();
            queue.resume();
          } else if (one === 'cancel') {
            queue.cancel();
            await Promise.resolve();
            queue.retry();
          } else if (one === 'reload') {
            page.closed = true;
            queue.pause();
            page = { closed: false };
            queue = new UploadQueue(world.environment(page));
            await queue.restore();
          }
        }
        await turn();
        if (queue.snapshot().items.length > 0) await settled(queue);
        for (let round = 0; queue.snapshot().items.some(({ state }) => state === 'failed'); round++) {
          expect(round).toBeLessThan(20);
          queue.retry();
          await settled(queue);
        }
        const wanted = new Set(files.map(([name, content]) => `${name} ${content}`));
        const got = [...world.images.values()].map(
          ({ path, hash }) => `${path.replace(/( \(\d+\))?\.png$/, '')} ${hash}`,
        );
        expect(new Set(got)).toEqual(wanted);
        expect(new Set(paths(world)).size).toBe(world.images.size);
      },
    ),
    { numRuns: 200 },
  );
});
