/** The tokens of messaging and App Check, from the shim in a page to a callable of a real server. */

import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { PROJECT, Server } from '../../server.ts';

/** A page's program: the shim, set up as an application does it, with two tokens for the default app. */
const PROGRAM = `
import { initializeApp } from './app.ts';
import { getFunctions, connectFunctionsEmulator, httpsCallable, setExtraToken } from './functions.ts';
window.callWith = async (options, host, port, name) => {
  initializeApp(options);
  connectFunctionsEmulator(getFunctions(), host, port);
  setExtraToken('messaging', async () => 'messages');
  setExtraToken('appCheck', async () => 'attested');
  return (await httpsCallable(getFunctions(), name)({ n: 1 })).data;
};`;

let server: Server;
let front: HttpServer;
let seen: { url: string; method: string; headers: IncomingHttpHeaders }[];

/** Stands before the server, notes what comes, and hands it on. */
function passOn(): HttpServer {
  return createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', method = '', headers } = request;
    // Another application's page: the server's own may call nobody else.
    if (method === 'GET')
      return void answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Other</title>');
    seen.push({ url, method, headers });
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    const reply = await fetch(server.origin + url, {
      method,
      headers: kept as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const cors = [...reply.headers].filter(([name]) => /^(access-control-|content-type)/.test(name));
    answer.writeHead(reply.status, Object.fromEntries(cors)).end(Buffer.from(await reply.arrayBuffer()));
  });
}

beforeAll(async () => {
  seen = [];
  server = await Server.start({ tuckbox: {} }, 'emulator');
  front = passOn();
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  front?.close();
  await server?.stop();
});

test('both headers pass the browser’s preflight and come with the call', async () => {
  const resolveDir = path.resolve(import.meta.dirname, '../../../src/sdk');
  const stdin = { contents: PROGRAM, resolveDir, loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife' });
  const browser = await launch();
  const { page } = await openPage(browser);
  const { port } = front.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/other`);
  await page.evaluate(outputFiles[0]?.text ?? '');
  const told = await page.evaluate(
    async ([project, at]) => {
      const { callWith } = window as unknown as {
        callWith: (options: object, host: string, port: number, name: string) => Promise<unknown>;
      };
      return callWith({ projectId: project, apiKey: 'k' }, '127.0.0.1', at, 'exportMyData').catch(
        (error: { code: string }) => error.code,
      );
    },
    [PROJECT, port] as const,
  );
  // The server read the call and wants somebody signed in: the headers kept nothing from it.
  expect(told).toBe('functions/unauthenticated');
  const calls = seen.filter(({ url }) => url.endsWith('/exportMyData'));
  expect(calls.map(({ method }) => method)).toEqual(['OPTIONS', 'POST']);
  expect(calls[0]?.headers['access-control-request-headers']).toContain('firebase-instance-id-token');
  expect(calls[1]?.headers).toMatchObject({
    'firebase-instance-id-token': 'messages',
    'x-firebase-appcheck': 'attested',
  });
  await browser.close();
});
