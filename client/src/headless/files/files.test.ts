import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_LIBRARY } from '../../core/images/library.ts';
import { Files, faceReader, imageReader } from './files.ts';

const CHUNK = new Uint8Array(64 * 1024);

/** Requests that a server received, and its answers. */
interface Host {
  readonly server: Server;
  readonly origin: string;
  readonly asked: string[];
}
let own: Host;
let other: Host;

async function host(): Promise<Host> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/v0/b/away'))
      response.writeHead(302, { Location: `${other.origin}/x` }).end();
    else if (request.url?.startsWith('/v0/b/gone')) response.writeHead(404).end();
    else if (request.url?.startsWith('/v0/b/endless')) {
      const more = (): void => {
        while (response.write(CHUNK));
      };
      response.on('drain', more);
      more();
    } else response.end('bytes');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

beforeAll(async () => {
  [own, other] = await Promise.all([host(), host()]);
});
beforeEach(() => {
  own.asked.length = 0;
  other.asked.length = 0;
});
afterAll(() => {
  for (const { server } of [own, other]) {
    server.closeAllConnections();
    server.close();
  }
});

const files = (outside = false) => new Files({ origin: own.origin, outside, advice: 'upload it.' });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('stored files of the own server are read, by their path or their address', async () => {
  expect(text(await files().read('/v0/b/x', 9))).toBe('bytes');
  expect(text(await files().read(`${own.origin.toUpperCase()}/v0/b/x`, 9))).toBe('bytes');
});

test('no other address is asked, however it is written', async () => {
  const port = new URL(other.origin).port;
  const addresses = [
    other.origin,
    `${other.origin}/v0/b/x`,
    `//127.0.0.1:${port}/v0/b/x`,
    `/\\127.0.0.1:${port}/v0/b/x`,
    `${own.origin}@127.0.0.1:${port}/v0/b/x`,
    `http://localhost:${port}/v0/b/x`,
    `blob:${own.origin}/v0/b/x`,
    'file:///etc/passwd',
    '/metrics',
    '/v0/b/../../metrics',
    '/v0/b/%2e%2e/%2e%2e/metrics',
    `${own.origin}/v0/bx`,
    'http://',
  ];
  for (const address of addresses) {
    await expect(files().read(address, 9), address).rejects.toThrow(/upload it\.|cannot be read/);
  }
  expect([own.asked, other.asked]).toEqual([[], []]);
});

test('a redirect is not followed, and a file that is gone is said to be', async () => {
  await expect(files().read('/v0/b/away', 9)).rejects.toThrow('cannot be read');
  expect(other.asked).toEqual([]);
  await expect(files().read('/v0/b/gone', 9)).rejects.toThrow('cannot be read: the server answered 404.');
});

test('who may read other servers does, and is led on by them', async () => {
  expect(text(await files(true).read(`${other.origin}/any`, 9))).toBe('bytes');
  await expect(files(true).read('file:///etc/passwd', 9)).rejects.toThrow('cannot be read');
});

test('no more is taken in than may be: of an answer without end, and of a data address', async () => {
  const most = 2 * 1024 * 1024;
  let taken = 0;
  const fetcher: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        taken += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(count) ?? null, response);
  };
  const counted = new Files({ origin: own.origin, outside: false, advice: '', fetcher });
  await expect(counted.read('/v0/b/endless', most)).rejects.toThrow('is larger than 2 MB');
  // One or two chunks are in flight.
  expect(taken).toBeLessThan(2 * most);

  const asked = vi.fn(fetch);
  const data = new Files({ origin: own.origin, outside: false, advice: '', fetcher: asked });
  await expect(data.read(`data:image/png,${'x'.repeat(300 * 1024)}`, 64 * 1024)).rejects.toThrow('is larger');
  expect(asked).not.toHaveBeenCalled();
  await expect(data.read(`data:image/png,${'x'.repeat(2 * 1024)}`, 1024)).rejects.toThrow('is larger');
  expect(text(await data.read('data:image/png;base64,aGk=', 9))).toBe('hi');
});

test('a built-in font is a file of its folder and nothing else', async () => {
  const read = faceReader(files(), import.meta.dirname, path.join(import.meta.dirname, '..'));
  const face = (file: string) =>
    ({ id: 'x', family: 'x', weight: 400, italic: false, file, ranges: [], colour: false }) as const;
  expect((await read(face('files.ts'))).length).toBeGreaterThan(100);
  for (const file of ['..', '', '.', 'no.woff2', 'a\0.ttf']) {
    await expect(read(face(file)), file).rejects.toThrow('there is no such font here.');
  }
  expect((await read(face('/fonts/cjk/make.ts'))).length).toBeGreaterThan(100);
  for (const file of ['/fonts/cjk/../files/files.ts', '/fonts/cjk/', '/fonts/cjk/no.woff2']) {
    await expect(read(face(file)), file).rejects.toThrow('there is no such font here.');
  }
  await expect(read(face('../../../package.json'))).rejects.toThrow('is no stored file');
});

test('an image on another server is refused with a reason; one that nobody knows is missing', async () => {
  const read = imageReader(files(), EMPTY_LIBRARY);
  await expect(read(`${other.origin}/inside.png`)).rejects.toMatchObject({
    name: 'ImageRefused',
    message: 'lies on another server: upload it.',
  });
  expect(await read('dragon.png')).toBeUndefined();
});
