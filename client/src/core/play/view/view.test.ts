import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Patch, type ServerMessage, type Shown, TABLE_SEAT } from '../protocol/messages.ts';
import { arranged, boundsOf, covers, topmost } from './arrange.ts';
import { pieceName, pieceState } from './names.ts';
import { handOf, patched, type TableView, viewOfState } from './view.ts';
import { viewHash } from './view-hash.ts';

/** Messages that a server sent a host and a player in one game of a hundred acts. */
const RECORDED = readFileSync(new URL('../testing/conversation.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as ['ann' | 'bob', ServerMessage]);
const sentTo = (who: 'ann' | 'bob') => RECORDED.flatMap(([to, message]) => (to === who ? [message] : []));
const CONVERSATION = { ann: sentTo('ann'), bob: sentTo('bob') };

/** The view after each message that changes it. */
function played(messages: readonly ServerMessage[]): TableView[] {
  const views: TableView[] = [];
  for (const message of messages) {
    const before = views.at(-1);
    if ('state' in message) views.push(viewOfState(message.state, before));
    else if ('n' in message && before) {
      const next = patched(before, message);
      if (!('view' in next)) throw new Error(`${message.n} leads nowhere: ${next.fault}`);
      views.push(next.view);
    }
  }
  return views;
}
const last = (views: readonly TableView[]): TableView => {
  const view = views.at(-1);
  if (!view) throw new Error('nothing was shown');
  return view;
};
const lines = (view: TableView) => view.log.map(({ text }) => text);

test('a recorded game is followed to its end, and the view has the hash of the server’s', () => {
  const checks = CONVERSATION.ann.filter((message) => 'check' in message);
  expect(checks).toHaveLength(1);
  const view = last(played(CONVERSATION.ann));
  expect(view.table.ended).toBe(true);
  expect(view.n).toBe(101);
});

test('everybody is shown the same number of the seed, from the first state to the end', () => {
  const [ann, bob] = [played(CONVERSATION.ann), played(CONVERSATION.bob)];
  const numbers = new Set([...ann, ...bob].map(({ commitment }) => commitment));
  expect([...numbers]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('each seat reads what it may know', () => {
  const [ann, bob] = [last(played(CONVERSATION.ann)), last(played(CONVERSATION.bob))];
  // Bob drew a card that Ann did not see, and played one that both did.
  const drew = lines(bob).find((line) => line.startsWith('You draw'));
  expect(drew).toMatch(/^You draw Card \d+ .* from Deck$/s);
  expect(lines(ann)).toContain('Bob draws a piece from Deck');
  expect(lines(ann).find((line) => line.startsWith('Bob plays'))).toMatch(/^Bob plays Card/);
  expect(lines(ann)).toContain('You shuffle Deck');
  expect(lines(bob)).toContain('Ann shuffles Deck');
  expect(lines(ann)).toContain('You take an act back, after chance decided');
  expect(lines(ann).find((line) => line.startsWith('You look at'))).toMatch(/^You look at Card .* in Deck$/s);
  expect(lines(bob).find((line) => line.startsWith('Ann looks at'))).toBe('Ann looks at a piece in Deck');
  expect(lines(bob).slice(-2)).toEqual(['Ann ends the game', 'Ann says the result: Bob wins']);
  const faces = (view: TableView) => [...view.pieces.values()].filter(({ face }) => face !== undefined);
  const own = handOf(bob.pieces, 1);
  expect(faces(bob).filter(({ holder }) => holder === own)).toHaveLength(2);
  const others = handOf(ann.pieces, 1);
  expect(faces(ann).filter(({ holder }) => holder === others)).toEqual([]);
  expect(pieceState(ann, others ?? '')).toBe('2 pieces');
  expect(pieceName(ann, others ?? '')).toBe('Hand of Bob');
});

test('changed cards take the place of what was seen, and the log names those that one sees', () => {
  const before = last(played(CONVERSATION.ann));
  const [[no = 0] = []] = before.faces;
  const face = JSON.stringify({ name: 'Renamed', sides: [] });
  const common = JSON.stringify({ layouts: [{ name: 'New' }] });
  const change: Patch = {
    n: before.n + 1,
    by: TABLE_SEAT,
    verb: 'update',
    faces: { [no]: face },
    common,
    say: [{ say: 'cards', faces: [no] }],
  };
  const next = patched(before, change);
  if (!('view' in next)) throw new Error(next.fault);
  const { view } = next;
  expect(view.faces.get(no)?.name).toBe('Renamed');
  expect(view.common.layouts).toHaveLength(1);
  expect([view.pieces, lines(view).at(-1)]).toEqual([before.pieces, 'The project changed: Renamed']);
  const hidden: Patch = { n: view.n + 1, by: 0, verb: 'update', say: [{ say: 'cards', faces: [] }] };
  const after = patched(view, hidden);
  if (!('view' in after)) throw new Error(after.fault);
  expect([after.view.faces, after.view.common]).toEqual([view.faces, view.common]);
  expect(lines(after.view).at(-1)).toBe('You take the changes of the project');
});

test('the log says who won, with points', () => {
  const before = last(played(CONVERSATION.bob));
  const end: Patch = {
    n: before.n + 1,
    by: 0,
    verb: 'end',
    say: [
      {
        say: 'won',
        winners: [1],
        points: [
          [0, 7],
          [1, 12],
        ],
      },
    ],
  };
  const next = patched(before, end);
  if (!('view' in next)) throw new Error(next.fault);
  expect(lines(next.view).slice(-2)).toEqual([
    'Ann ends the game',
    'Ann says who won: Bob; points: Ann 7, Bob 12',
  ]);
});

test('a patch that does not follow, or leads elsewhere than the server’s view, is not taken', () => {
  const messages = CONVERSATION.ann;
  const at = messages.findIndex((message) => 'check' in message);
  const before = last(played(messages.slice(0, at)));
  const patch = messages[at] as Patch;
  expect(patched(before, { ...patch, n: patch.n + 1 })).toEqual({ fault: 'gap' });
  const [handle = ''] = before.pieces.keys();
  const drifted = new Map(before.pieces).set(handle, { x: 1, y: 2, z: 3, surface: 0 });
  expect(patched({ ...before, pieces: drifted }, patch)).toEqual({ fault: 'check' });
});

test('the hash depends on every piece, and on no order of keys', () => {
  const shown = fc.record({ x: fc.integer(), y: fc.integer(), z: fc.nat(), name: fc.string() });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), shown, { minKeys: 1 }), (pieces) => {
      const entries = Object.entries(pieces) as [string, Shown][];
      const turned = entries
        .map(([handle, piece]) => [handle, Object.fromEntries(Object.entries(piece).reverse())] as const)
        .reverse() as unknown as [string, Shown][];
      expect(viewHash(new Map(turned))).toBe(viewHash(new Map(entries)));
      const [first] = entries;
      if (!first) return;
      const changed = new Map(entries).set(first[0], { ...first[1], x: first[1].x + 1 });
      expect(viewHash(changed)).not.toBe(viewHash(new Map(entries)));
    }),
  );
});

test('what lies on the table is found where it is painted', () => {
  const view = last(played(CONVERSATION.ann));
  const all = arranged(view);
  const kinds = all.map(({ shown }) => shown.container?.kind ?? shown.kind);
  expect(kinds).not.toContain('hand');
  const die = all.find(({ shown }) => shown.kind === 'die');
  const area = all.find(({ shown }) => shown.container?.kind === 'zone');
  expect(die?.inside).toBe(area?.handle);
  if (!die || !area) throw new Error('the area is gone');
  expect(covers(area, die.x, die.y)).toBe(true);
  const over = all.filter((one) => covers(one, die.x, die.y)).map(({ handle }) => handle);
  expect(over).toContain(die.handle);
  expect(topmost(all, die.x, die.y)?.handle).toBe(over.at(-1));
  expect(topmost(all, die.x, die.y, new Set(over.slice(-1)))?.handle).not.toBe(over.at(-1));
  const bounds = boundsOf(all);
  for (const one of all) {
    expect(one.x - one.w / 2).toBeGreaterThanOrEqual((bounds?.x ?? 0) - 0.001);
    expect(one.y + one.h / 2).toBeLessThanOrEqual((bounds?.y ?? 0) + (bounds?.h ?? 0) + 0.001);
  }
});

/** A patch as sockets send it now: positions alone where nothing else is different. */
function short(patch: Patch, before: TableView): Patch {
  const { set = {}, say = [], ...rest } = patch;
  const put: Record<string, readonly [number, number, number]> = {};
  const others: Record<string, Shown | null> = {};
  for (const [handle, shown] of Object.entries(set)) {
    const known = before.pieces.get(handle);
    const same = shown && known && { ...known, x: shown.x, y: shown.y, z: shown.z };
    if (
      shown &&
      same &&
      JSON.stringify(Object.entries(same).sort()) === JSON.stringify(Object.entries(shown).sort())
    ) {
      put[handle] = [shown.x, shown.y, shown.z];
    } else others[handle] = shown;
  }
  const [line, ...more] = say;
  const pieces = line?.say === 'moved' && !line.from && !line.to && more.length === 0 ? line.pieces : [];
  const did = pieces.flatMap(({ handle = '', face }) =>
    set[handle] && set[handle].face === face ? [handle] : [],
  );
  const isAlone = did.length > 0 && did.length === pieces.length;
  return {
    ...rest,
    ...(Object.keys(others).length > 0 && { set: others }),
    ...(Object.keys(put).length > 0 && { put }),
    ...(isAlone ? { did } : say.length > 0 && { say }),
  };
}

test('short patches lead to the same views and lines as long ones', () => {
  let shortened = 0;
  for (const messages of Object.values(CONVERSATION)) {
    let view: TableView | undefined;
    for (const message of messages) {
      if ('state' in message) view = viewOfState(message.state, view);
      else if ('n' in message && view) {
        const brief = short(message, view);
        shortened += brief.put || brief.did ? 1 : 0;
        const [one, other] = [patched(view, message), patched(view, brief)];
        expect(other).toEqual(one);
        if ('view' in one) view = one.view;
      }
    }
  }
  expect(shortened).toBeGreaterThan(50);
  const [first] = played(CONVERSATION.ann);
  const lost: Patch = { n: (first?.n ?? 0) + 1, by: 0, verb: 'move', put: { nobody: [1, 2, 3] } };
  expect(first && patched(first, lost)).toEqual({ fault: 'check' });
});
