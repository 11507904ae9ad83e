import type { ServerMessage } from '../../core/play/messages.ts';
import type { ClientMessage, Have, OpenTransport } from './transport.ts';

/** Pause between two looks at the table, in milliseconds. */
export const LOOK_EVERY_MS = 1_500;

/** Calls of the server's functions. */
export interface TableCalls {
  view(have: Have | undefined): Promise<readonly ServerMessage[]>;
  act(act: NonNullable<ClientMessage['act']>, have: Have | undefined): Promise<readonly ServerMessage[]>;
}

/** Error codes after which the table is not tried again. */
const FINAL = /not-found|permission-denied|unauthenticated/;

/**
 * A table's messages by calls, for networks that let no sockets through: it looks every now and then, so others' acts
 * come later, and their pointers not at all.
 */
export function callsTransport(calls: TableCalls, wait: (ms: number) => Promise<void>): OpenTransport {
  return (first, events) => {
    let have = first;
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
        const again = !FINAL.test(String((error as { code?: unknown }).code));
        events.message({ bye: { why: again ? 'unavailable' : 'not-found', again } });
        closed = true;
        events.end();
      });
      return turn;
    };
    void (async () => {
      while (!closed) {
        await inTurn(() => calls.view(have));
        await wait(LOOK_EVERY_MS);
      }
    })();
    return {
      send({ act, fresh }) {
        if (closed) return false;
        if (fresh !== undefined) {
          have = undefined;
          void inTurn(() => calls.view(undefined));
        } else if (act) {
          void inTurn(() => calls.act(act, have));
        }
        return true;
      },
      close() {
        closed = true;
      },
    };
  };
}
