import { expect, test, vi } from 'vitest';
import type { PublicTable, ServerMessage, State } from '../../core/play/protocol/messages.ts';
import { callsTransport } from './calls.ts';
import { BACK_OFF_MS, LET_IN_MS, PING_FADES_MS, TableConnection } from './connection.ts';
import type { ClientMessage, Have, OpenTransport, TransportEvents } from './transport.ts';

const TABLE = { surfaces: 1, seats: {}, clock: { turn: null, phase: '', round: 0 }, ended: false } as unknown;
const state = (n: number, epoch = 'e'): { state: State } => ({
  state: { n, epoch, seat: 0, commitment: '', table: TABLE as PublicTable },
});
const patch = (n: number, more: object = {}): ServerMessage => ({ n, by: 0, verb: 'pass', ...more }) as never;

/** A server's end of each connection, and clocks that are wound by hand. */
function world() {
  const opened: {
    have: Have | undefined;
    events: TransportEvents;
    sent: ClientMessage[];
    over: string;
    seat: number | undefined;
  }[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const open =
    (over: string): OpenTransport =>
    (have, events, seat) => {
      const end = { have, events, sent: [] as ClientMessage[], over, seat };
      opened.push(end);
      return { send: (message) => end.sent.push(message) > 0, close: () => undefined };
    };
  let now = 0;
  const connection = new TableConnection({
    socket: open('socket'),
    calls: open('calls'),
    token: async () => 'token',
    now: () => now,
    later: (run, ms) => {
      const timer = { run, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    random: () => 0.5,
  });
  const end = () => {
    const newest = opened.at(-1);
    if (!newest) throw new Error('nothing was opened');
    return newest;
  };
  /** Lets the next pause pass; answers its length. */
  const wait = () => {
    // Not that of the token.
    const timer = timers.find(({ ms }) => ms < 60_000);
    if (timer) timers.splice(timers.indexOf(timer), 1);
    timer?.run();
    return timer?.ms;
  };
  return {
    connection,
    opened,
    end,
    wait,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('an act is answered by its patch, or by the reason for which it is refused', async () => {
  const { connection, end } = world();
  connection.start();
  expect(await connection.act({ verb: 'pass' })).toMatchObject({ ok: false, code: 'offline' });
  end().events.message(state(3));
  const [done, refused] = [connection.act({ verb: 'pass' }), connection.act({ verb: 'roll' })];
  const cs = end().sent.map(({ act }) => act?.c);
  expect(new Set(cs).size).toBe(2);
  end().events.message({ no: cs[1] ?? 0, code: 'malformed', say: 'The act names no piece.' });
  end().events.message(patch(4, { ack: cs[0] }));
  expect(await done).toEqual({ ok: true, n: 4 });
  expect(await refused).toEqual({ ok: false, code: 'malformed', say: 'The act names no piece.' });
  expect(connection.snapshot().view?.n).toBe(4);
});

test('own moves are shown at once, build on each other, and go with a refusal', async () => {
  const { connection, end } = world();
  connection.start();
  const a = { x: 0, y: 0, z: 1, kind: 'card' as const };
  end().events.message({ state: { ...state(1).state, set: { a } } });
  const place = () => {
    const { x = 0, y = 0 } = connection.snapshot().view?.pieces.get('a') ?? {};
    return [x, y];
  };
  const move = (x: number, y: number) =>
    connection.act({ verb: 'move', pieces: ['a'], to: { surface: 0, x, y } });
  const acts = [move(50, 0), move(50, 50), move(100, 50)];
  expect(place()).toEqual([100, 50]);
  const [first = 0, second = 0, third = 0] = end().sent.map(({ act }) => act?.c);
  end().events.message(patch(2, { ack: first, set: { a: { ...a, surface: 0, x: 50, z: 2 } } }));
  expect(place()).toEqual([100, 50]);
  end().events.message({ no: third, code: 'locked', say: 'It is locked.' });
  expect(place()).toEqual([50, 50]);
  // Somebody else is faster: the own move still comes after it.
  end().events.message(patch(3, { set: { a: { ...a, surface: 0, x: 900, z: 3 } } }));
  expect(place()).toEqual([50, 50]);
  end().events.message(patch(4, { ack: second, set: { a: { ...a, surface: 0, x: 50, y: 50, z: 4 } } }));
  expect(place()).toEqual([50, 50]);
  expect(await Promise.all(acts)).toMatchObject([{ ok: true }, { ok: true }, { ok: false }]);
  // An act that was lost with the connection may not have happened.
  void move(0, 0);
  expect(place()).toEqual([0, 0]);
  end().events.end();
  expect(place()).toEqual([50, 50]);
});

test('a lost connection comes back with what it has, later each time, and open acts are told of', async () => {
  const { connection, end, wait } = world();
  connection.start();
  end().events.message(state(1, 'first'));
  const act = connection.act({ verb: 'pass' });
  end().events.message(patch(2));
  end().events.end();
  expect(await act).toMatchObject({ ok: false, code: 'unknown' });
  expect(connection.snapshot().status).toBe('waiting');
  const pauses = [wait()];
  expect(end().have).toEqual({ epoch: 'first', n: 2 });
  end().events.end();
  pauses.push(wait());
  expect(pauses).toEqual([BACK_OFF_MS[0], BACK_OFF_MS[1]]);
  // Nothing was missed: who is there is all that comes.
  end().events.message({ people: { seats: [0], observers: 0 } });
  expect(connection.snapshot()).toMatchObject({ status: 'open', view: { n: 2 } });
  end().events.message(patch(3));
  expect(connection.snapshot().view?.n).toBe(3);
});

test('a gap asks for everything once, and everything heals it', () => {
  const { connection, end } = world();
  connection.start();
  end().events.message(state(1));
  end().events.message(patch(5));
  expect(end().sent).toEqual([{ fresh: 5 }]);
  end().events.message(state(6));
  expect(connection.snapshot().view?.n).toBe(6);
});

test('a table that is closed to the user is not tried again', () => {
  const { connection, end, opened, wait } = world();
  connection.start();
  end().events.message({ bye: { why: 'not-found', again: false } });
  end().events.end();
  expect(connection.snapshot()).toMatchObject({ status: 'closed', why: 'not-found' });
  expect(wait()).toBeUndefined();
  expect(opened).toHaveLength(1);
});

test('where sockets never say a word, calls take their place', () => {
  const { connection, end, wait } = world();
  connection.start();
  for (let i = 0; i < 3; i++) {
    end().events.end();
    wait();
  }
  expect(end().over).toBe('calls');
  end().events.message(state(1));
  expect(connection.snapshot()).toMatchObject({ status: 'open', over: 'calls' });
});

test('places that people show are kept for a while, whoever shows them', () => {
  const { connection, end, pass } = world();
  connection.start();
  end().events.message(state(1));
  connection.ping(1.4, 2.6);
  expect(end().sent).toContainEqual({ ping: [1, 3] });
  const shown = (x: number): ServerMessage => ({ pointers: [], pings: [[0, x, 5]] });
  end().events.message(shown(1));
  pass(PING_FADES_MS - 1);
  end().events.message(shown(2));
  expect(connection.snapshot().pings.map(({ ping }) => ping[1])).toEqual([1, 2]);
  pass(PING_FADES_MS - 1);
  end().events.message(shown(3));
  expect(connection.snapshot().pings.map(({ ping }) => ping[1])).toEqual([2, 3]);
});

test('the own pointer is sent now and then, its last place always, and others’ are kept by seat', () => {
  const { connection, end, pass, wait } = world();
  connection.start();
  end().events.message(state(1));
  connection.point([1, 2]);
  connection.point([3, 4], [2, 2, 0]);
  connection.point([4, 4]);
  expect(end().sent).toEqual([{ at: [1, 2] }]);
  expect(wait()).toBeGreaterThan(0);
  pass(1_000);
  connection.point([5, 6], [7, 8, 0]);
  expect(end().sent).toEqual([{ at: [1, 2] }, { at: [4, 4] }, { at: [5, 6], drag: [7, 8, 0] }]);
  end().events.message({
    pointers: [
      [0, 9, 9],
      [2, 5, 5],
    ],
  });
  expect([...connection.snapshot().pointers.keys()]).toEqual([2]);
});

test('what somebody drags is let go with their act, whichever of pointer and act is told of first', () => {
  const { connection, end, pass } = world();
  connection.start();
  end().events.message(state(1));
  const dragged = () => connection.snapshot().pointers.get(2)?.pointer[3];
  const drag = () => end().events.message({ pointers: [[2, 5, 5, [3, 3, 0]]] });
  drag();
  expect(dragged()).toEqual([3, 3, 0]);
  end().events.message(patch(2, { by: 2, verb: 'move' }));
  expect(dragged()).toBeUndefined();
  drag();
  expect(dragged()).toBeUndefined();
  pass(1_000);
  drag();
  expect(dragged()).toEqual([3, 3, 0]);
});

test('by calls, acts are sent one after the other with what is known, and looks go on from there', async () => {
  const asked: unknown[] = [];
  const heard: ServerMessage[] = [];
  let looked = () => {};
  const transport = callsTransport(
    {
      view: async (have) => {
        asked.push(have);
        return have ? [] : [state(1)];
      },
      act: async (act, have) => {
        asked.push([act.verb, have]);
        return [patch((have?.n ?? 0) + 1, { ack: act.c })];
      },
    },
    () => new Promise<void>((resolve) => (looked = resolve)),
  )(undefined, { message: (message) => heard.push(message), end: () => undefined });
  await expect.poll(() => heard.length).toBe(2);
  transport.send({ act: { verb: 'pass', c: 1 } });
  transport.send({ act: { verb: 'roll', c: 2 } });
  await expect.poll(() => heard.length).toBe(4);
  looked();
  await expect.poll(() => asked.length).toBe(4);
  expect(asked).toEqual([
    undefined,
    ['pass', { epoch: 'e', n: 1 }],
    ['roll', { epoch: 'e', n: 2 }],
    { epoch: 'e', n: 3 },
  ]);
  transport.close();
});

test('who waits for the host looks again and again over the socket, until they are let in', () => {
  const { connection, end, wait } = world();
  connection.start();
  for (let i = 0; i < 5; i++) {
    end().events.message({ bye: { why: 'let-in', again: true } });
    end().events.end();
    expect(connection.snapshot()).toMatchObject({ status: 'waiting', why: 'let-in' });
    expect(wait()).toBe(LET_IN_MS);
  }
  expect(end().over).toBe('socket');
  end().events.message(state(1));
  expect(connection.snapshot()).toMatchObject({ status: 'open', why: undefined, view: { n: 1 } });
});

test('who leads is told of admission, and of nothing once they lead no more', () => {
  const { connection, end } = world();
  connection.start();
  end().events.message(state(1));
  const admission = { code: 'ABC234', locked: false, asks: false, people: [] };
  end().events.message({ you: { seats: [0], leads: true, table: 'Friday' } });
  end().events.message({ admission });
  expect(connection.snapshot()).toMatchObject({ you: { table: 'Friday' }, admission });
  end().events.message({ you: { seats: [], leads: false, table: 'Friday' } });
  expect(connection.snapshot().admission).toBeUndefined();
});

test('a seat that was chosen is the one to look from after the connection was lost', () => {
  const { connection, opened, end, wait } = world();
  connection.start();
  end().events.message(state(1));
  connection.look(2);
  expect(end().sent).toEqual([{ look: 2 }]);
  end().events.message({ state: { ...state(1).state, seat: 2 } });
  end().events.end();
  wait();
  expect(opened.map(({ seat }) => seat)).toEqual([undefined, 2]);
});

test('by calls, the server’s reason for a refusal is told', async () => {
  const heard: ServerMessage[] = [];
  const refused = Object.assign(new Error('no'), {
    code: 'functions/permission-denied',
    details: { why: 'out' },
  });
  const view = () => Promise.reject(refused);
  const end = vi.fn();
  callsTransport({ view, act: view }, () => new Promise(() => undefined))(undefined, {
    message: (message) => heard.push(message),
    end,
  });
  await expect.poll(() => end.mock.calls.length).toBe(1);
  expect(heard).toEqual([{ bye: { why: 'out', again: false } }]);
});
