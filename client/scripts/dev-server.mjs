// Serves client/dist and passes everything else on to a running `tuckbox`, so that the client can be
// rebuilt without rebuilding the server: `node scripts/dev-server.mjs [--port 5080] [--host-port 5055]`.
import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '5080' },
    'host-port': { type: 'string', default: '5055' },
    dist: { type: 'string', default: 'dist' },
  },
});
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, values.dist);

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

function fileFor(pathname) {
  const file = path.join(dist, path.normalize(pathname));
  try {
    return file.startsWith(dist) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Addresses that belong to the application itself: pages that the SPA draws. */
const isPage = (request, pathname) =>
  request.method === 'GET' &&
  (request.headers.accept ?? '').includes('text/html') &&
  !pathname.startsWith('/__/firebase') &&
  !pathname.startsWith('/emulator');

function send(response, file) {
  response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}

function passOn(request, response) {
  const upstream = http.request(
    {
      host: '127.0.0.1',
      port: Number(values['host-port']),
      method: request.method,
      path: request.url,
      headers: { ...request.headers },
    },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      response.flushHeaders();
      reply.pipe(response);
    },
  );
  upstream.on('error', (error) => {
    if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' });
    response.end(`The server on port ${values['host-port']} does not answer: ${error.message}\n`);
  });
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

http
  .createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = request.method === 'GET' ? fileFor(decodeURIComponent(pathname)) : undefined;
    if (file) send(response, file);
    else if (isPage(request, pathname)) send(response, path.join(dist, 'index.html'));
    else passOn(request, response);
  })
  .listen(Number(values.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${values.port}`));
