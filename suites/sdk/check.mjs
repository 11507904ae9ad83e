/** Assertions that work in Node and in a page. */

/** A value with its object keys sorted, as text. */
function canonical(value) {
  return JSON.stringify(value, (_key, part) => {
    if (typeof part === 'number' && !Number.isFinite(part)) return `number:${part}`;
    if (Object.is(part, -0)) return 'number:-0';
    if (part === undefined) return 'undefined';
    if (part && typeof part === 'object' && !Array.isArray(part)) {
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    return part;
  });
}

export function equal(actual, expected, what = 'value') {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

export function truthy(condition, what) {
  if (!condition) throw new Error(what);
}

/** Waits for a failure with this code, such as `not-found`, and returns its error. */
export async function fails(promise, code, message) {
  let error;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  if (!error) throw new Error(`expected a failure with ${code}, but it succeeded`);
  const found = codeOf(error);
  if (found !== code) throw new Error(`expected ${code}, got ${found}: ${error.message}`);
  if (message && !message.test(error.message)) {
    throw new Error(`expected a message like ${message}, got: ${error.message}`);
  }
  return error;
}

const GRPC = [
  'ok',
  'cancelled',
  'unknown',
  'invalid-argument',
  'deadline-exceeded',
  'not-found',
  'already-exists',
  'permission-denied',
  'resource-exhausted',
  'failed-precondition',
  'aborted',
  'out-of-range',
  'unimplemented',
  'internal',
  'unavailable',
  'data-loss',
  'unauthenticated',
];

function codeOf(error) {
  if (typeof error.code === 'number' && error.code in GRPC) return GRPC[error.code];
  if (typeof error.code === 'string') return error.code;
  // The server SDK's listeners have the code in the message.
  const [, number] = /^Error (\d+): /.exec(error.message) ?? [];
  if (number) return GRPC[number];
  // The server SDK's REST layer has the HTTP status as code, and the reply's body as message.
  try {
    return JSON.parse(error.message).error.status.toLowerCase().replaceAll('_', '-');
  } catch {
    return undefined;
  }
}

/** A queue of events: `next` waits for one that fits, failing after the time given. */
export class Events {
  #all = [];
  #waiting = new Set();
  #failure;
  #last;

  push(event) {
    this.#last = event;
    this.#all.push(event);
    for (const wake of [...this.#waiting]) wake();
  }

  fail(error) {
    this.#failure = error;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Events not yet taken. */
  get pending() {
    return this.#all.length;
  }

  async next(fits = () => true, milliseconds = 15_000) {
    for (const deadline = Date.now() + milliseconds; ; ) {
      while (this.#all.length) {
        const event = this.#all.shift();
        if (fits(event)) return event;
      }
      if (this.#failure) throw this.#failure;
      const left = deadline - Date.now();
      if (left <= 0) {
        throw new Error(
          `no event within ${milliseconds} ms that fits ${fits}; the last: ${canonical(this.#last)}`,
        );
      }
      await new Promise((done) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          done();
        };
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
      });
    }
  }
}
