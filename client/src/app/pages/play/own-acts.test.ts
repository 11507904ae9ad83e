import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Act } from '../../../core/play/protocol/messages.ts';
import type { Outcome } from '../../../data/play/connection.ts';
import { type ActsKept, OwnActs } from './own-acts.ts';

const NOTHING_KEPT: ActsKept = { read: () => [], write: () => undefined };

/** A server that answers in order, and only when it is told to. */
function server(kept: ActsKept = NOTHING_KEPT) {
  const waiting: (() => void)[] = [];
  /** The acts that stand, by their entries. */
  const standing: { n: number; verb: string }[] = [];
  /** Acts that were taken back, in this order. */
  const undone: string[] = [];
  let n = 0;
  let offered = false;
  const acts = new OwnActs(
    {
      act: (act: Act) =>
        new Promise<Outcome>((resolve) => {
          n += 1;
          const entry = n;
          if (act.verb === 'undo') {
            const at = standing.findIndex((one) => one.n === act['n']);
            undone.push(...standing.splice(at, 1).map(({ verb }) => verb));
          } else standing.push({ n: entry, verb: act.verb });
          waiting.push(() => resolve({ ok: true, n: entry }));
        }),
    },
    (can) => {
      offered = can;
    },
    kept,
  );
  /** Everything that follows without another answer. */
  const settle = () => new Promise((done) => setImmediate(done));
  const answer = async () => {
    waiting.shift()?.();
    await settle();
  };
  const answerAll = async () => {
    await settle();
    while (waiting.length > 0) await answer();
  };
  return { acts, standing, undone, answer, answerAll, offered: () => offered };
}

test('the act before is taken back, however late its answer comes', async () => {
  const { acts, standing, undone, answerAll, offered } = server();
  void acts.act({ verb: 'draw' });
  await answerAll();
  void acts.act({ verb: 'move' });
  void acts.takeBack();
  await answerAll();
  expect(undone).toEqual(['move']);
  expect(standing.map(({ verb }) => verb)).toEqual(['draw']);
  expect(offered()).toBe(true);
  void acts.takeBack();
  await answerAll();
  expect([standing, offered()]).toEqual([[], false]);
});

test('keys of any haste do at a slow table the same as at a quick one', async () => {
  const keys = fc.array(fc.constantFrom('do', 'back', 'answer'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(keys, async (pressed) => {
      const { acts, standing, answer, answerAll } = server();
      const expected: string[] = [];
      for (const [at, key] of pressed.entries()) {
        if (key === 'do') {
          void acts.act({ verb: `act ${at}` });
          expected.push(`act ${at}`);
        } else if (key === 'back') {
          void acts.takeBack();
          expected.pop();
        } else await answer();
      }
      await answerAll();
      expect(standing.map(({ verb }) => verb)).toEqual(expected);
    }),
  );
});

test('an act that cannot be taken back is passed over the next time', async () => {
  const asked: unknown[] = [];
  let n = 0;
  const acts = new OwnActs(
    {
      act: async ({ verb, ...fields }) => {
        n += 1;
        if (verb !== 'undo') return { ok: true, n };
        asked.push(fields['n']);
        return asked.length === 1 ? { ok: false, code: 'not-possible', say: 'No.' } : { ok: true, n };
      },
    },
    () => undefined,
    NOTHING_KEPT,
  );
  await acts.act({ verb: 'roll' });
  await acts.act({ verb: 'end' });
  await acts.act({ verb: 'shuffle' });
  await acts.takeBack();
  await acts.takeBack();
  expect(asked).toEqual([3, 1]);
  expect(await acts.takeBack()).toBeUndefined();
});

test('whoever loads the page again takes back what was done before', async () => {
  let stored: readonly number[] = [];
  const kept: ActsKept = {
    read: () => stored,
    write: (entries) => {
      stored = entries;
    },
  };
  const { acts, standing, answerAll } = server(kept);
  void acts.act({ verb: 'draw' });
  void acts.act({ verb: 'move' });
  void acts.takeBack();
  await answerAll();
  const asked: Act[] = [];
  const act = async (one: Act): Promise<Outcome> => {
    asked.push(one);
    return { ok: true, n: 9 };
  };
  const again = new OwnActs({ act }, () => undefined, kept);
  expect(again.canTakeBack).toBe(true);
  await again.takeBack();
  expect(asked).toEqual([{ verb: 'undo', n: standing[0]?.n }]);
  expect(again.canTakeBack).toBe(false);
});
