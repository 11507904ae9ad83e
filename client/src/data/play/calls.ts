import type { SeatNo, ServerMessage } from '../../core/play/protocol/messages.ts';
import type { ClientMessage, Have, OpenTransport } from './transport.ts';

/** Pause between two looks at the table, in milliseconds. */
export const LOOK_EVERY_MS = 1_500;

/** Calls of the server's functions. */
export interface TableCalls {
  /** `seat` is the one to look from, of several of one's own. */
  view(have: Have | undefined, seat: SeatNo | undefined): Promise<readonly ServerMessage[]>;
  act(
    act: NonNullable<ClientMessage['act']>,
    have: Have | undefined,
    seat: SeatNo | undefined,
  ): Promise<readonly ServerMessage[]>;
}

/** Error codes after which the table is not tried again. */
const FINAL = /not-found|permission-denied|unauthenticated/;

/**
 * A table's messages by calls, for networks that let no sockets through: it looks every now and then, so others' acts
 * come later, and their pointers not at all.
 */
export function callsTransport(calls: TableCalls, wait: (ms: number) => Promise<void>): OpenTransport {
  return (first, events, from) => {
    let have = first;
    let seat = from;
    let closed = false;
    let greeted = false;
    let turn: Promise<void> = Promise.resolve();
    const take = (messages: readonly ServerMessage[]) => {
      for (const message of messages) {
        if (closed) return;
        if ('state' in message) have = { epoch: message.state.epoch, n: message.state.n };
        else if ('n' in message && have) have = { ...have, n: message.n };
        events.message(message);
      }
      // Nobody learns by calls who is there; it tells that the table answers, though nothing is new.
      if (!greeted && !closed) events.message({ people: { seats: [], observers: 0 } });
      greeted = true;
    };
    const inTurn = (work: () => Promise<readonly ServerMessage[]>) => {
      turn = turn.then(async () => {
        if (!closed) take(await work());
      });
      turn = turn.catch((error: unknown) => {
        if (closed) return;
        const { code, details } = error as { code?: unknown; details?: { why?: unknown } | null };
        const again = !FINAL.test(String(code));
        const why = details?.why ?? (again ? 'unavailable' : 'not-found');
        events.message({ bye: { why: String(why), again } });
        closed = true;
        events.end();
      });
      return turn;
    };
    void (async () => {
      while (!closed) {
        await inTurn(() => calls.view(have, seat));
        await wait(LOOK_EVERY_MS);
      }
    })();
    return {
      send({ act, fresh, look }) {
        if (closed) return false;
        if (look !== undefined) seat = look;
        if (fresh !== undefined || look !== undefined) {
          have = undefined;
          void inTurn(() => calls.view(undefined, seat));
        } else if (act) {
          void inTurn(() => calls.act(act, have, seat));
        }
        return true;
      },
      close() {
        closed = true;
      },
    };
  };
}
