import { describe, expect, it } from 'vitest';
import type { Patch, PublicTable, Shown, State } from '../protocol/messages.ts';
import { Course, parseReplay, pauseAfter, remarksOf, type Track, turnsOf } from './replay.ts';

const LENGTH = 300;
const piece = (x: number): Shown => ({ surface: 0, x, y: 0, z: 1 });

/** A track in which one piece moves with every act. */
const track: Track = {
  seat: null,
  state: {
    n: 0,
    epoch: 'replay',
    seat: null,
    commitment: '',
    table: { seats: {} } as PublicTable,
    set: { a: piece(0) },
  } as State,
  patches: Array.from({ length: LENGTH }, (_, at): Patch => {
    const n = at + 1;
    if (n === 120) return { n, by: 0, verb: 'pass' };
    if (n === 150) return { n, by: 0, verb: 'mark', say: [{ say: 'text', text: 'Too strong' }] };
    return { n, by: 0, verb: 'move', set: { a: piece(n) } };
  }),
};

describe('a course', () => {
  it('shows the same at an act from wherever one comes', () => {
    const jumps = [300, 0, 5, 64, 63, 65, 299, 128, 127, 1, 200, 199, 64, 0, 300];
    const course = new Course(track);
    for (const at of jumps) {
      const fresh = new Course(track);
      for (let step = 0; step < at; step += 1) fresh.at(step);
      expect(course.at(at).pieces).toEqual(fresh.at(at).pieces);
      expect(course.at(at).n).toBe(at);
    }
  });

  it('stays within the game', () => {
    const course = new Course(track);
    expect(course.at(-3).n).toBe(0);
    expect(course.at(10_000).n).toBe(LENGTH);
    expect(course.at(2.7).n).toBe(2);
  });

  it('refuses acts that do not fit', () => {
    const broken = { ...track, patches: track.patches.filter(({ n }) => n !== 10) };
    expect(() => new Course(broken).at(20)).toThrow('do not fit');
  });
});

it('finds turns and remarks', () => {
  expect(turnsOf(track)).toEqual([0, 120]);
  expect(remarksOf(track)).toEqual([{ at: 150, text: 'Too strong' }]);
});

it('waits as long as the players did, within reason, and the shorter the faster it goes', () => {
  const times = [0, 1_000, 1_010, 9_000_000];
  expect([0, 1, 2, 3].map((at) => pauseAfter(times, at, 1))).toEqual([400, 1_000, 400, 3_000]);
  expect(pauseAfter(times, 3, 16)).toBe(3_000 / 16);
});

it('reads replays of its version alone', () => {
  const text = JSON.stringify({
    version: 1,
    name: 'Friday',
    hands: false,
    times: [],
    tracks: [track],
    fair: null,
  });
  expect(parseReplay(text).name).toBe('Friday');
  for (const bad of ['', 'null', '7', '{"version":1}', '{"version":1,"times":[],"tracks":[]}']) {
    expect(() => parseReplay(bad)).toThrow(/damaged|version/);
  }
});
