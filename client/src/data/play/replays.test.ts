/** A replay that is published anew while it is read is read again; no two versions are mixed. */

import { beforeEach, expect, test, vi } from 'vitest';

const world = vi.hoisted(() => ({ versions: [] as string[][], reads: 0, changesAfter: [] as number[] }));
vi.mock('@sdk/firestore', () => ({ doc: vi.fn(), getDoc: async () => ({ exists: () => true }) }));
vi.mock('../server/database.ts', () => ({
  getDb: vi.fn(),
  callFunction: async (_name: string, request: { part: number; version?: number }) => {
    world.reads += 1;
    if (world.changesAfter.includes(world.reads)) world.versions.shift();
    const [parts] = world.versions;
    if (!parts) throw Object.assign(new Error('gone'), { code: 'functions/not-found' });
    const version = -world.versions.length;
    if (request.version !== undefined && request.version !== version)
      throw Object.assign(new Error('published anew'), { code: 'functions/aborted' });
    return { text: parts[request.part], parts: parts.length, version };
  },
}));
vi.mock('../../core/play/replay/replay.ts', () => ({ parseReplay: (text: string) => text }));

const { readReplay } = await import('./replays.ts');
const read = () => readReplay('a1', new AbortController().signal);

beforeEach(() => {
  world.reads = 0;
  world.changesAfter = [];
});

test('all parts are of one version', async () => {
  world.versions = [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ];
  world.changesAfter = [3];
  expect(await read()).toBe('de');
});

test('what changes all the time is not read for ever', async () => {
  world.versions = Array.from({ length: 9 }, (_, at) => [`${at}`, 'end']);
  world.changesAfter = [2, 4, 6, 8, 10];
  await expect(read()).rejects.toThrow('published anew');
});

test('a replay that is closed meanwhile is not there', async () => {
  world.versions = [['a', 'b']];
  world.changesAfter = [2];
  expect(await read()).toBeUndefined();
});
