// A playtest table's socket for benchmarks: frames as they come, counted, and the view no further than its numbers.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { inflateRawSync } from 'node:zlib';

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];

/** A frame with a mask of zero, as clients send it. */
function masked(opcode, payload) {
  const { length } = payload;
  const size = length < 126 ? [0x80 + length] : [0x80 + 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x80 + opcode, ...size, 0, 0, 0, 0]), payload]);
}

/** The first whole frame of a buffer; undefined while it is not there. */
function frameOf(all) {
  if (all.length < 2) return undefined;
  const short = all[1] & 127;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (all.length < head) return undefined;
  const length = short < 126 ? short : short === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
  if (all.length < head + length) return undefined;
  return { opcode: all[0] & 15, payload: all.subarray(head, head + length), end: head + length };
}

/** Somebody at a table. `heard` is told of every message, and of the bytes that it took on the wire. */
export class TableSocket {
  n = 0;
  seat = null;
  epoch = '';
  pieces = new Map();
  /** Takes messages as they are, instead of `heard`: whoever counts them needs not read them. */
  unread = undefined;
  #rest = Buffer.alloc(0);

  constructor(socket, heard) {
    this.socket = socket;
    this.heard = heard;
    this.closed = new Promise((done) => socket.once('close', done));
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => this.#take(chunk));
  }

  static open(port, table, token, heard, have) {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: `/__/table/${table}/socket`,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    asked.end();
    return new Promise((done, failed) => {
      asked.on('error', failed);
      asked.on('response', (response) => failed(new Error(`the socket was refused: ${response.statusCode}`)));
      asked.on('upgrade', (_, socket, head) => {
        const found = new TableSocket(socket, heard);
        if (head.length > 0) found.#take(head);
        found.send({ hello: 2, token, ...(have && { have }) });
        done(found);
      });
    });
  }

  send(message) {
    this.sendText(JSON.stringify(message));
  }

  sendText(text) {
    this.socket.write(masked(TEXT, Buffer.from(text)));
  }

  #take(chunk) {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let frame = frameOf(this.#rest); frame; frame = frameOf(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.end);
      const { opcode, payload, end } = frame;
      if (opcode === PING) this.socket.write(masked(PONG, payload));
      else if (opcode === CLOSE) this.socket.end();
      else if (opcode === TEXT || opcode === BINARY) this.#hear(opcode, payload, end);
    }
  }

  #hear(opcode, payload, bytes) {
    if (this.unread) {
      this.unread(payload);
      return;
    }
    const text = opcode === BINARY ? inflateRawSync(payload) : payload;
    const message = JSON.parse(text.toString());
    const { state } = message;
    if (state) {
      [this.n, this.seat, this.epoch] = [state.n, state.seat, state.epoch];
      this.pieces = new Map(Object.entries(state.set ?? {}));
    } else if (message.by !== undefined) {
      this.n = message.n;
      for (const [handle, shown] of Object.entries(message.set ?? {})) {
        if (shown === null) this.pieces.delete(handle);
        else this.pieces.set(handle, shown);
      }
      for (const [handle, [x, y, z]] of Object.entries(message.put ?? {}))
        this.pieces.set(handle, { ...this.pieces.get(handle), x, y, z });
    }
    this.heard(message, bytes, this);
  }
}
