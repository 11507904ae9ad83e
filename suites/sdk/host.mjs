/** The machine around a client, for cases: plain arguments and answers, so that a page can call it too. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Firestore } from '@google-cloud/firestore';
import { startProxy } from './proxy.mjs';
import { spawnProgram, spawnServer } from './server.mjs';

/** Everybody may do everything with documents whose id is `open`, and nothing else. */
const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{collection}/open { allow read, write; }
  }
}`;

/** The calls, for a suite that runs against the server at `host:port`. */
export function makeHost({ host, port }) {
  const servers = [];

  return {
    /** Starts a server of the case's own, behind a proxy; answers `{ id, host, port }`. */
    async startServer() {
      const folder = mkdtempSync(join(tmpdir(), 'tuckbox-sdk-'));
      const server = await spawnServer({ folder });
      const proxy = await startProxy(server.port);
      servers.push({ folder, server, proxy });
      return { id: servers.length - 1, host: '127.0.0.1', port: proxy.port };
    },

    /** Starts the whole program, with accounts, and rules by which only documents called `open` are anybody's. */
    async startStrictServer() {
      const folder = mkdtempSync(join(tmpdir(), 'tuckbox-sdk-'));
      const config = { firestore: { rules: 'firestore.rules' }, tuckbox: { signIn: { anonymous: true } } };
      writeFileSync(join(folder, 'firebase.json'), JSON.stringify(config));
      writeFileSync(join(folder, 'firestore.rules'), RULES);
      const server = await spawnProgram(folder);
      const proxy = await startProxy(server.port);
      servers.push({ folder, server, proxy });
      return { id: servers.length - 1, host: '127.0.0.1', port: proxy.port };
    },

    /** The token of a new account there. */
    async signUp(id) {
      const { server } = servers[id];
      const accounts = `http://127.0.0.1:${server.port}/identitytoolkit.googleapis.com/v1/accounts`;
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${accounts}:signUp?key=key`, { method: 'POST', headers, body: '{}' });
      return (await reply.json()).idToken;
    },

    /** Ends it by `signal` and starts it again on the same folder. */
    async restartServer(id, signal) {
      const one = servers[id];
      await one.server.stop(signal);
      one.server = await spawnServer({ folder: one.folder });
      one.proxy.target = one.server.port;
    },

    /** Breaks every connection to it, and each that is tried, until [`reconnectServer`]. */
    async disconnectServer(id) {
      const { proxy } = servers[id];
      proxy.allow = () => false;
      proxy.drop();
    },

    async reconnectServer(id) {
      servers[id].proxy.allow = () => true;
    },

    /** Bytes it has sent. */
    async sentBy(id) {
      return servers[id].proxy.toClients;
    },

    async stopServer(id) {
      const { server, proxy, folder } = servers[id];
      await proxy.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },

    /** A bundle of a collection as it is now, with the query `name` over it. */
    async bundle(collection, name) {
      process.env.FIRESTORE_EMULATOR_HOST = `${host}:${port}`;
      process.env.METADATA_SERVER_DETECTION = 'none';
      const db = new Firestore({ projectId: 'demo-suite', ssl: false });
      const query = db.collection(collection).orderBy('n');
      const bundle = db.bundle(`bundle of ${collection}`).add(name, await query.get());
      const built = bundle.build();
      await db.terminate();
      return built.toString('utf8');
    },
  };
}
