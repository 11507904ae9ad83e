import type { ServerMessage } from '../../core/play/protocol/messages.ts';
import type { OpenTransport } from './transport.ts';

/** Version of the messages. */
const VERSION = 2;

/** Address of a table's socket on this host. */
export function socketUrl(table: string, { protocol, host }: Pick<Location, 'protocol' | 'host'>): string {
  const scheme = protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${host}/__/table/${encodeURIComponent(table)}/socket`;
}

/**
 * A table's messages over a socket. Large ones come deflated.
 * @param token the account's token: it goes in the first message, not in the address
 */
export function socketTransport(
  url: string,
  token: () => Promise<string>,
  makeSocket: (url: string) => WebSocket = (address) => new WebSocket(address),
): OpenTransport {
  return (have, events, seat) => {
    const socket = makeSocket(url);
    socket.binaryType = 'arraybuffer';
    let closed = false;
    // Messages are handled in their order, though inflating takes a moment.
    let turn: Promise<void> = Promise.resolve();
    const inTurn = (work: () => void | Promise<void>) => {
      turn = turn.then(async () => {
        if (!closed) await work();
      });
      turn.catch(() => socket.close());
    };
    const finish = () => {
      inTurn(() => {
        closed = true;
        events.end();
      });
    };
    socket.addEventListener('open', () => {
      token().then(
        (own) =>
          socket.send(
            JSON.stringify({
              hello: VERSION,
              token: own,
              ...(seat !== undefined && { seat }),
              ...(have && { have }),
            }),
          ),
        () => socket.close(),
      );
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      inTurn(async () => {
        const text = typeof data === 'string' ? data : await inflated(data);
        if (!closed) events.message(JSON.parse(text) as ServerMessage);
      });
    });
    socket.addEventListener('close', finish);
    return {
      send(message) {
        if (closed || socket.readyState !== WebSocket.OPEN) return false;
        socket.send(JSON.stringify(message));
        return true;
      },
      close() {
        closed = true;
        socket.close();
      },
    };
  };
}

/** The text of a deflated message. */
async function inflated(data: ArrayBuffer): Promise<string> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}
