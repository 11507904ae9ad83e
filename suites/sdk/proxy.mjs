/** A TCP proxy on this machine that counts what passes and can break connections wherever they are. */

import { connect, createServer } from 'node:net';

/** Forwards to `port` of this machine; answers the proxy, listening on a free port of its own. */
export async function startProxy(port) {
  const proxy = new TcpProxy(port);
  await proxy.listen();
  return proxy;
}

class TcpProxy {
  /** Port that new connections go to; may change between them. */
  target;
  /** Bytes passed on to clients. */
  toClients = 0;
  /** Connections accepted. */
  accepted = 0;
  /** Called with each chunk's connection and length before it is passed on; `false` breaks the connection. */
  allow = () => true;
  /** Connections are taken, and nothing passes on them any more, not even their end. */
  #silent = false;
  #pairs = new Set();
  #server = createServer((client) => this.#accept(client));

  constructor(target) {
    this.target = target;
  }

  get port() {
    return this.#server.address().port;
  }

  listen() {
    return new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  /** Breaks every connection. */
  drop() {
    for (const pair of [...this.#pairs]) pair.end();
  }

  /** Swallows whatever comes on the connections there are, and on those that come until [`endSilence`]. */
  beSilent() {
    this.#silent = true;
    for (const pair of this.#pairs) pair.silent = true;
  }

  /** New connections work again. Those that were silent stay so, as after a network is lost, or `drop` breaks them. */
  endSilence({ drop }) {
    this.#silent = false;
    if (!drop) return;
    for (const pair of [...this.#pairs]) if (pair.silent) pair.end();
  }

  async stop() {
    this.drop();
    await new Promise((done) => this.#server.close(done));
  }

  #accept(client) {
    this.accepted += 1;
    const server = connect(this.target, '127.0.0.1');
    const pair = {
      silent: this.#silent,
      end: () => {
        this.#pairs.delete(pair);
        client.destroy();
        server.destroy();
      },
    };
    this.#pairs.add(pair);
    const pass = (from, to, count) => {
      from.on('data', (chunk) => {
        if (pair.silent) return;
        if (!this.allow(pair, chunk.length)) {
          // Half of what came, so that a frame breaks in the middle.
          to.write(chunk.subarray(0, chunk.length >> 1), () => pair.end());
          return;
        }
        count(chunk.length);
        if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      // The server's end is news that silence keeps from the client; the client's own ends the connection.
      const unlessUnheard = (then) => () => {
        if (!pair.silent || from === client) then();
      };
      from.on(
        'end',
        unlessUnheard(() => to.end()),
      );
      from.on('error', unlessUnheard(pair.end));
      from.on('close', unlessUnheard(pair.end));
    };
    pass(client, server, () => {});
    pass(server, client, (length) => {
      this.toClients += length;
    });
  }
}
