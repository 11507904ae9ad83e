// The server makes files of what people wrote: addresses inside its network, images that unpack to gigabytes and
// documents that nobody can read must bring an attacker nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { ownedBy, SECRET } from './world.mjs';

/** Builds the module that makes layouts, as the application has it. */
async function sceneMaker() {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: "export { newLayout } from './new-layout.ts'; export { newZone } from './zones.ts';",
      resolveDir: resolve(import.meta.dirname, '../../client/src/core/scene'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** A server inside the network, which answers a redirect to itself and notes what it is asked. */
async function insider() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(SECRET);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked, server, origin: `http://127.0.0.1:${server.address().port}` };
}

/** A PNG that says it is so wide and high. */
function pngHead(w, h) {
  const png = Buffer.alloc(64);
  png.writeUInt32BE(0x89504e47, 0);
  png.writeUInt32BE(w, 16);
  png.writeUInt32BE(h, 20);
  return `data:image/png;base64,${png.toString('base64')}`;
}

export function exportAttacks(world, attack) {
  const phrase = 'exports turned against the server';
  const { bob, gus } = world.people;
  let makers;
  /** Exports a card of one layout, whoever's it is. */
  const exported = async (person, layoutOf, options = {}) => {
    makers ??= await sceneMaker();
    const at = `projects/x-${person.name}`;
    await world.put(
      {
        [at]: ownedBy(person, 'X'),
        [`${at}/components/c`]: { name: 'C', kind: 'cards', layoutId: 'x', columns: [], order: 1 },
        [`${at}/components/c/cards/1`]: { order: 1, copies: 1, cells: { a: 'b' } },
        [`${at}/layouts/x`]: { name: 'X', version: 1, scene: layoutOf(makers) },
      },
      person,
    );
    return world.call('exportDeck', { project: `x-${person.name}`, ...options }, person.token);
  };
  const image =
    (source) =>
    ({ newLayout, newZone }) => ({
      ...newLayout('x'),
      zones: [{ ...newZone('image', 'i', 'I', { x: 0, y: 0, w: 50, h: 50 }), source }],
    });
  const font =
    (url) =>
    ({ newLayout, newZone }) => {
      const zone = newZone('text', 't', 'T', { x: 0, y: 0, w: 50, h: 50 });
      return {
        ...newLayout('x'),
        zones: [{ ...zone, text: 'x', style: { ...zone.style, family: 'own-x' } }],
        fonts: [{ family: 'own-x', name: 'X', url, weight: 400, italic: false }],
      };
    };

  attack(
    phrase,
    'addresses inside the network, by an account and by a guest',
    async () => {
      const { asked, server, origin } = await insider();
      try {
        for (const person of [bob, gus]) {
          for (const address of [`${origin}/v0/b/x`, `//${origin.slice(7)}/v0/b/x`]) {
            const { status, reply } = await exported(person, image(address));
            assert.equal(status, 200, JSON.stringify(reply));
            assert.match(reply.result.remarks.join(), /lies on another server|not in the library/);
            const refused = await exported(person, font(address));
            assert.equal(refused.reply.error?.status, 'FAILED_PRECONDITION', JSON.stringify(refused.reply));
          }
          for (const address of ['/metrics', '/v0/b/../../metrics', `${world.origin}/metrics`]) {
            const { reply } = await exported(person, font(address));
            assert.match(reply.error?.message ?? '', /is no stored file/, address);
          }
        }
        assert.deepEqual(asked, []);
      } finally {
        server.close();
      }
    },
    { long: true },
  );

  attack(
    phrase,
    'images that unpack to gigabytes, and pages of them',
    async () => {
      const { status, reply } = await exported(bob, image(pngHead(30_000, 30_000)));
      assert.equal(status, 200, JSON.stringify(reply));
      assert.match(reply.result.remarks.join(), /the most is 64 megapixels/);
      const size = { preset: 'custom', w: 2_000, h: 2_000, shape: 'rect', radius: 0.1 };
      const vast = await exported(bob, ({ newLayout }) => newLayout('x', size), { format: 'png', dpi: 200 });
      assert.equal(vast.reply.error?.status, 'FAILED_PRECONDITION', JSON.stringify(vast.reply));
    },
    { long: true },
  );

  attack(phrase, 'documents that cannot be read, beside those that can', async () => {
    await exported(bob, ({ newLayout }) => newLayout('x'));
    await world.put(
      {
        [`projects/x-${bob.name}/components/five`]: {
          name: 'Five',
          kind: 'none',
          columns: [5],
          layoutId: 'five',
        },
        [`projects/x-${bob.name}/layouts/five`]: { name: 'Five', scene: { zones: 5 } },
      },
      bob,
    );
    const { status, reply } = await exported(bob, ({ newLayout }) => newLayout('x'));
    assert.equal(status, 200, JSON.stringify(reply));
  });
}
