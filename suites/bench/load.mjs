// Load over HTTP/1.1 with as little work of its own as Node allows: requests are encoded once and written to kept
// connections as they are; of answers only the status and the length are read.
import { connect } from 'node:net';

/** Time limit of one call before it counts as failed, in milliseconds. */
const CALL_LIMIT_MS = 60_000;
/** Time limit for calls still under way at the end of a measurement, in milliseconds. */
const GRACE_MS = 5_000;
/** Time limit for the first answer on every connection, in milliseconds. */
const WARM_LIMIT_MS = 75_000;

/** Read at once from a connection, into the same bytes each time: new ones for every part would cost more than reading. */
const READ_BYTES = 256 * 1024;
/** Of an answer so much is kept, for whoever reads it; of the rest only the length is known. */
const KEPT_BYTES = 64 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** An encoded request. `body` is bytes or text. */
export function encode(url, { method = 'POST', headers = {}, body = '' } = {}) {
  const { host, pathname, search } = new URL(url);
  const bytes = Buffer.from(body);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (bytes.length > 0 || method !== 'GET') lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** An encoded request with a body in JSON. */
export const encodeJson = (url, value) =>
  encode(url, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });

/** Finds the end of an answer's body, and its status once that is known. */
class Answer {
  constructor() {
    this.kept = Buffer.alloc(0);
    this.last = Buffer.alloc(0);
    this.size = 0;
    this.head = undefined;
  }

  /** Takes what came, of which it keeps nothing but copies; whether the answer is whole. */
  take(part) {
    if (this.kept.length < KEPT_BYTES) this.kept = Buffer.concat([this.kept, part]);
    this.size += part.length;
    if (this.head === undefined && !this.readHead()) return false;
    if (this.length !== undefined) return this.size >= this.bodyAt + this.length;
    // Chunks of these services never hold this within their data.
    this.last = Buffer.concat([this.last, part.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
    return this.last.equals(LAST_CHUNK);
  }

  readHead() {
    const at = this.kept.indexOf(HEAD_END);
    if (at < 0) return false;
    this.head = this.kept.latin1Slice(0, at);
    this.bodyAt = at + HEAD_END.length;
    this.status = Number(this.head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.head)?.[1];
    const empty = this.status === 204 || this.status === 304;
    if (length !== undefined || empty) this.length = Number(length ?? 0);
    else if (!/\r\ntransfer-encoding: *chunked/i.test(this.head)) throw new Error('an answer without an end');
    return true;
  }

  get bodyLength() {
    return this.size - this.bodyAt;
  }

  get text() {
    return this.kept.subarray(this.bodyAt).toString();
  }
}

/** One kept connection: one request at a time, dialled again where the other side closed it. */
export class Connection {
  constructor(origin) {
    const { hostname, port } = new URL(origin);
    this.place = { host: hostname, port: Number(port), noDelay: true };
  }

  /** Sends an encoded request; its answer. */
  exchange(request) {
    return new Promise((resolve, reject) => {
      this.socket ??= this.dial();
      this.waiting = { resolve, reject, answer: new Answer() };
      this.socket.setTimeout(CALL_LIMIT_MS);
      this.socket.write(request);
    });
  }

  dial() {
    const received = (count, bytes) => {
      const { waiting } = this;
      try {
        if (!waiting?.answer.take(bytes.subarray(0, count))) return true;
      } catch (error) {
        fail(error);
        return true;
      }
      this.waiting = undefined;
      if (/\r\nconnection: *close/i.test(waiting.answer.head)) {
        this.socket = undefined;
        socket.destroy();
      }
      waiting.resolve(waiting.answer);
      return true;
    };
    this.room ??= Buffer.alloc(READ_BYTES);
    const socket = connect({ ...this.place, onread: { buffer: this.room, callback: received } });
    const fail = (error) => {
      if (this.socket === socket) this.socket = undefined;
      socket.destroy();
      const { waiting } = this;
      this.waiting = undefined;
      waiting?.reject(error);
    };
    socket.on('error', fail);
    socket.on('timeout', () => fail(new Error(`no answer within ${CALL_LIMIT_MS} ms`)));
    socket.on('close', () => fail(new Error('the connection closed')));
    return socket;
  }

  close() {
    this.socket?.destroy();
  }
}

/** Resolves after at most `ms`, whether or not `work` has; whether it has. */
async function within(ms, work) {
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(done, Math.max(0, ms), false);
  });
  const done = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return done;
}

/**
 * Keeps `connections` of `work(connection, n)` under way for `seconds` once each connection has had an answer. `work`
 * tells whether the call succeeded. Gives successes per second, times in milliseconds, how many calls failed, and how many
 * connections had no answer in time (`cold`). `end` is when it must all be over, by `performance.now()`.
 */
export async function measure(origin, connections, seconds, end, work) {
  const all = Array.from({ length: connections }, () => new Connection(origin));
  const call = (connection, n) => work(connection, n).catch(() => false);
  let next = 0;
  let cold = connections;
  const warm = all.map(async (connection) => {
    if (await call(connection, next++)) cold -= 1;
  });
  const room = () => end - performance.now() - GRACE_MS;
  await within(Math.min(WARM_LIMIT_MS, room() - seconds * 1_000), Promise.all(warm));
  const begin = performance.now();
  const until = Math.min(begin + seconds * 1_000, begin + room());
  const times = [];
  let failed = 0;
  let under = 0;
  let running = until > begin;
  const workers = all.map(async (connection, nth) => {
    // One whose first call is not over yet takes no other.
    await warm[nth];
    while (running && performance.now() < until) {
      const started = performance.now();
      under += 1;
      const succeeded = await call(connection, next++);
      under -= 1;
      if (!running) return;
      if (succeeded) times.push(performance.now() - started);
      else failed += 1;
    }
  });
  await within(until - begin, new Promise(() => {}));
  const inTime = times.length;
  const took = (performance.now() - begin) / 1_000;
  if (running) await within(GRACE_MS, Promise.all(workers));
  running = false;
  for (const connection of all) connection.close();
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { rate: inTime / took, p50: at(0.5), p99: at(0.99), failed: failed + under, cold };
}
