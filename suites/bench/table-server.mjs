// A server with playtest tables for benchmarks, and people at them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../shared/free-port.mjs';
import { TARGET } from '../shared/program.mjs';
import { endAll, memory, start } from './processes.mjs';
import { TableSocket } from './table-socket.mjs';

const BINARY = process.env.TUCKBOX_BIN ?? path.join(TARGET, 'release/tuckbox');
const PROJECT = 'demo-bench';
/** Tables of one owner, below the server's limit. */
const TABLES_OF_OWNER = 18;
/** Tables that are opened at the same time. */
const OPENED_AT_ONCE = 8;
/** Clock ticks a second of `/proc`. */
const TICKS = 100;

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until `is` holds for what a socket is told. */
export async function until(is, what) {
  const ends = performance.now() + 60_000;
  while (!is()) {
    if (performance.now() > ends) throw new Error(`not within a minute: ${what}`);
    await pause(5);
  }
}

/** The value below which a share of sorted ones lies. */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Median, 95 % and 99 % of times in milliseconds. */
export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return Object.fromEntries([0.5, 0.95, 0.99].map((share) => [`p${share * 100}`, quantile(sorted, share)]));
}

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An unsigned token, which an emulator takes. */
export const token = (uid) => `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: uid, name: uid })}.`;

/** One server at a time, on a folder that goes with the benchmark. */
export class TableServer {
  #folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-table-play-'));
  #data = 'data';

  /** @param {number | undefined} cacheMib memory of the store's page cache, of the usual size without it */
  static async make(cacheMib) {
    const server = new TableServer();
    if (cacheMib !== undefined) {
      const config = JSON.stringify({ tuckbox: { documents: { cacheMiB: cacheMib } } });
      writeFileSync(path.join(server.#folder, 'firebase.json'), config);
    }
    server.port = await freePort();
    server.origin = `http://127.0.0.1:${server.port}`;
    process.once('exit', () => {
      endAll();
      rmSync(server.#folder, { recursive: true, force: true });
    });
    return server;
  }

  /** Starts the server, on the data of before or in a new folder. */
  async serve(data = this.#data) {
    this.#data = data;
    const args = ['serve', '--project', PROJECT, '--mode', 'emulator', '--port', String(this.port)];
    const answers = async () => (await fetch(`${this.origin}/`)).status > 0;
    const where = ['--data', path.join(this.#folder, data)];
    ({ child: this.child } = await start(BINARY, [...args, ...where], this.#folder, answers));
  }

  /** Milliseconds of processor time that the server has taken. */
  cpuMs() {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
  }

  /** Memory of the server in MiB. */
  mib() {
    return memory(this.child.pid).mib;
  }

  async call(name, data, uid) {
    const reply = await fetch(`${this.origin}/us-central1-${PROJECT}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token(uid)}` },
      body: JSON.stringify({ data }),
    });
    const { result, error } = await reply.json();
    if (error) throw new Error(`${name}: ${error.message}`);
    return result;
  }

  /** A project of an owner with players, as the server's functions would make it. */
  async putProject(id, owner, players) {
    const roles = [[owner, 'owner'], ...players.map((one) => [one, 'playtester'])];
    const members = Object.fromEntries(roles.map(([uid, role]) => [uid, { stringValue: role }]));
    const fields = {
      name: { stringValue: id },
      owner: { stringValue: owner },
      members: { mapValue: { fields: members } },
    };
    const documents = `${this.origin}/v1/projects/${PROJECT}/databases/(default)/documents`;
    const reply = await fetch(`${documents}/projects/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
      body: JSON.stringify({ fields }),
    });
    if (!reply.ok) throw new Error(`the project was refused: ${await reply.text()}`);
  }

  /** A table of a project with so many pieces laid out. */
  async openTable(project, owner, pieces, seatCount = 4) {
    const box = {
      backs: [{ look: '{}', kind: 'token', size: [200, 200] }],
      definitions: [{ face: JSON.stringify({ name: 'Token' }), back: 0, copies: pieces }],
      sets: [{ name: 'All', members: [0] }],
    };
    const seats = Array.from({ length: seatCount }, (_, no) => ({ name: `Seat ${no}` }));
    const asked = { projectId: project, name: 'Bench', box, seats };
    const { table } = await this.call('openTable', asked, owner);
    const act = async (act) => {
      const { messages } = await this.call('actAtTable', { table, act: { c: 1, ...act } }, owner);
      const refused = messages.find((message) => 'no' in message);
      if (refused) throw new Error(refused.say);
    };
    const to = { at: { surface: 0, x: 0, y: 0 } };
    const steps = [{ do: 'place', place: { set: 0 }, to, face: 'up' }];
    await act({ verb: 'edit', edit: { setup: { button: { steps } } } });
    await act({ verb: 'restore', to: 'setup' });
    return table;
  }

  /** Somebody's socket at a table, once it has the state. */
  async enter(table, uid, heard) {
    const socket = await TableSocket.open(this.port, table, token(uid), heard);
    await until(() => socket.n > 0, 'a state');
    return socket;
  }

  /** The same at the moment at which the state is there, whatever the table must do before. */
  enterAtOnce(table, uid) {
    return new Promise((done, failed) => {
      const heard = (message, _, socket) => {
        if (message.state) done(socket);
        else if (message.bye) failed(new Error(`the table let nobody in: ${message.bye.why}`));
      };
      TableSocket.open(this.port, table, token(uid), heard).catch(failed);
    });
  }

  /** A table with somebody on each seat. `heard` is told the seat that hears, and what. */
  async seated(project, owner, players, pieces, heard) {
    const table = await this.openTable(project, owner, pieces, players.length + 1);
    const sockets = [];
    for (const [seat, uid] of [owner, ...players].entries()) {
      const socket = await this.enter(table, uid, (...told) => heard(seat, ...told));
      if (seat > 0) {
        socket.send({ act: { c: 1, verb: 'claim', as: seat, name: uid } });
        await until(() => socket.seat === seat, 'a seat');
      }
      sockets.push(socket);
    }
    return { table, sockets };
  }

  /**
   * Projects for so many tables, each of a few by owners of their own: `open` is called for each table with its number, its
   * project, owner and players. Answers what it returns, in order.
   */
  async forTables(name, count, players, open) {
    const made = new Array(count);
    let next = 0;
    const projects = new Map();
    const opening = async () => {
      for (let at = next++; at < count; at = next++) {
        const nth = Math.floor(at / TABLES_OF_OWNER);
        const [owner, project] = [`${name}${nth}`, `${name}-p${nth}`];
        const people = Array.from({ length: players }, (_, no) => `${name}${nth}-${no + 1}`);
        if (!projects.has(nth)) projects.set(nth, this.putProject(project, owner, people));
        await projects.get(nth);
        made[at] = await open(at, project, owner, people);
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, opening));
    return made;
  }
}
