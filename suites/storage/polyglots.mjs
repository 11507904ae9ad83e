// Files with scripts in them, opened and embedded in Chrome in every way a page can: nothing runs. The same bytes
// from a server that says nothing of safety show that these scripts are ones that would.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { deflateSync } from 'node:zlib';

import { BUCKET, test, unsignedToken } from './common.mjs';

const RUN = "console.log('ran')";
const PAGE = `<!doctype html><body onload="${RUN}"><script>${RUN}</script>`;
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const svg = (inner, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" ${attributes}>${inner}</svg>`;
const dataUrl = (type, text) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
const ESCAPED = PAGE.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A PNG of one pixel with a text chunk. Readers pass over chunks they do not know, whatever their checksum. */
function png(text) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(text)),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

/** Name, what it is said to be, bytes, and whether the script runs where nothing keeps it from running. */
const FILES = [
  ['a drawing with a script', 'image/svg+xml', svg(`<script>${RUN}</script>`), true],
  ['a drawing that runs when it is there', 'image/svg+xml', svg('', `onload="${RUN}"`), true],
  [
    'a page within a drawing',
    'image/svg+xml',
    svg(
      `<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="${ESCAPED}"/></foreignObject>`,
    ),
    true,
  ],
  [
    'a drawing whose script has an address',
    'image/svg+xml',
    svg(`<script xlink:href="${dataUrl('text/javascript', RUN)}"/>`),
    true,
  ],
  [
    'a drawing within a drawing',
    'image/svg+xml',
    svg(
      `<use xlink:href="${dataUrl('image/svg+xml', svg(`<script>${RUN}</script>`, 'id="x"'))}#x"/><image href="x:" onerror="${RUN}"/>`,
    ),
    true,
  ],
  [
    'a drawing that moves',
    'image/svg+xml',
    svg(`<rect><animate attributeName="x" dur="1s" onbegin="${RUN}"/></rect>`),
    true,
  ],
  [
    'a drawing under another name',
    'image/png',
    `<?xml version="1.0"?><!-- -->${svg(`<script>${RUN}</script>`)}`,
    false,
  ],
  [
    'a drawing of another prefix',
    'application/xml',
    `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>${RUN}</s:script></s:svg>`,
    true,
  ],
  ['a page', 'text/html', PAGE, true],
  ['a page said to be an image', 'image/png', PAGE, false],
  ['a page with two kinds', 'text/plain, text/html', `x ${PAGE}`, true],
  [
    'a page of another prefix',
    'application/xhtml+xml',
    `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>${RUN}</h:script></h:html>`,
    true,
  ],
  ['a page behind blanks', 'text/html', `${' '.repeat(70_000)}${PAGE}`, true],
  ['a script', 'text/javascript', RUN, true],
  [
    'an image that is a script',
    'text/javascript',
    Buffer.concat([
      Buffer.from('GIF89a/*'),
      GIF.subarray(8, 13),
      GIF.subarray(13),
      Buffer.from(`*/=0;${RUN}`),
    ]),
    true,
  ],
  ['an image, then a page', 'text/html', Buffer.concat([GIF, Buffer.from(PAGE)]), true],
  ['an image with a page in it', 'text/html', png(PAGE), true],
  ['a page that begins like an image', 'text/html', `BM${PAGE}`, true],
  ['a page that begins like a scan', 'text/html', `II*\0${PAGE}`, true],
  ['a page that begins like a document', 'text/html', `%PDF-1.7\n${PAGE}`, true],
  ['a page, then an archive', 'text/html', `${PAGE}PK\x05\x06${'\0'.repeat(18)}`, true],
];

/** A page that embeds an address in every way there is; the last of them to arrive ends its loading. */
const embedding = (address) => {
  const src = address.replaceAll('&', '&amp;');
  return `<!doctype html><title>Embedding</title><img src="${src}"><iframe src="${src}"></iframe>
    <object data="${src}"></object><embed src="${src}"><link rel="stylesheet" href="${src}">
    <script src="${src}"></script><script type="module" src="${src}"></script>
    <svg><use href="${src}#x"/></svg><video src="${src}"></video>`;
};

/** True if a script runs when an address is opened or embedded. */
async function runs(page, address, harness) {
  let ran = false;
  const note = (message) => {
    if (message.text() === 'ran') ran = true;
  };
  page.on('console', note);
  // A download ends the navigation with an error.
  await page.goto(address).catch(() => undefined);
  await drawn(page);
  await page.goto(harness(address));
  await drawn(page);
  page.off('console', note);
  return ran;
}

/** Wait for a page to paint its image, in milliseconds. */
const DRAWING_MS = 10_000;

/**
 * Waits until the page was drawn twice: by then moving drawings have begun to move. A page that is put in the place of
 * another during a screenshot fails it, and is tried again.
 */
async function drawn(page) {
  const session = await page.context().newCDPSession(page);
  const last = performance.now() + DRAWING_MS;
  let screenshots = 0;
  while (screenshots < 2 && performance.now() < last) {
    await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 1 }).then(
      () => {
        screenshots += 1;
      },
      (error) => {
        if (!error.message.includes('Unable to capture screenshot')) throw error;
      },
    );
  }
  await session.detach();
  assert.equal(screenshots, 2, 'the page was not drawn twice');
}

/** Registers the tests; answers how to end what they need. */
export async function polyglotTests(server, browser) {
  const reckless = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x');
    const [, type, bytes] = FILES[Number(pathname.slice(1))] ?? [];
    if (pathname === '/embed') {
      response.setHeader('content-type', 'text/html');
      response.end(embedding(searchParams.get('address')));
    } else if (bytes !== undefined) {
      response.setHeader('content-type', type);
      response.end(bytes);
    } else response.writeHead(404).end();
  });
  await new Promise((listening) => reckless.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${reckless.address().port}`;
  const harness = (address) => `${origin}/embed?address=${encodeURIComponent(address)}`;
  const context = await browser.newContext({ acceptDownloads: false });
  const page = await context.newPage();
  for (const [index, [name, type, bytes, would]] of FILES.entries()) {
    test(`Chrome: ${name} runs nowhere`, async () => {
      const path = `users/u1/attack ${index}`;
      const stored = await fetch(`${server.origin}/v0/b/${BUCKET}/o?name=${encodeURIComponent(path)}`, {
        method: 'POST',
        headers: { authorization: `Firebase ${unsignedToken('u1')}`, 'content-type': type },
        body: bytes,
      });
      assert.equal(stored.status, 200);
      const { downloadTokens } = await stored.json();
      const address = `${server.origin}/v0/b/${BUCKET}/o/${encodeURIComponent(path)}?alt=media&token=${downloadTokens}`;
      assert.equal(await runs(page, `${origin}/${index}`, harness), would, 'without protection');
      assert.equal(await runs(page, address, harness), false);
    });
  }
  return () => reckless.close();
}
