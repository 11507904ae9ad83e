// Paths that mean something else than they say: sent as they are, because `fetch` and browsers normalise them first.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { refused } from './documents.mjs';
import { encodeFields, PROJECT, ROOT, SECRET } from './world.mjs';

/** The longest path that is tried, in bytes; more than any server takes. */
const VERY_LONG = 200_000;

/** A request whose path is these very bytes; answers `{ status, text }`. */
async function raw(world, method, path, { token, host, body = '' } = {}) {
  const { hostname, port } = new URL(world.origin);
  const socket = connect(Number(port), hostname);
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server may hang up on a request that it does not like.
  socket.on('error', () => {});
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host ?? `${hostname}:${port}`}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
  ];
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

/** Ways from a place that is one's own to another's. */
function climbs(own, other) {
  const ups = ['..', '%2e%2e', '%2E%2e', '.%2e', '%252e%252e', '..%00', '%c0%ae%c0%ae', '..;', '．．'];
  const slashes = ['/', '%2f', '%2F', '%5c', '\\', '//', '%252f', '/./', '%00/'];
  return [
    ...ups.map((up) => `${own}/${up}/${other}`),
    ...slashes.map((slash) => `${own}${slash}..${slash}${other}`),
    ...slashes.map((slash) => [own, other].join(slash)),
  ];
}

export function pathAttacks(world, attack) {
  const { ann, bob } = world.people;
  const documents = `/v1/${ROOT}/users`;
  const secret = `${ann.uid}/userData/userObject`;

  /** Nothing is leaked, nothing is a fault of the server's, and it goes on. */
  const harmless = (reply, what) => {
    assert.ok(!reply.text.includes(SECRET), `${what} leaked: ${reply.text}`);
    assert.ok(reply.status < 500, `${what}: ${reply.text.slice(0, 500)}`);
    assert.ok(world.alive, `${what} ended the server`);
  };
  const all = async (paths, token, method = 'GET', body = '') => {
    for (const path of paths) {
      const reply = await raw(world, method, path, { token, body });
      harmless(reply, `${method} ${path.slice(0, 300)}`);
      // An answer that succeeds may hold only the caller's own data: an empty list, or the application's page. A
      // refusal may repeat the path.
      const found = reply.status < 300 && reply.text.includes(`documents/users/${ann.uid}/`);
      assert.ok(!found, `${path}: ${reply.text}`);
    }
  };

  attack('path tricks', 'from one’s own documents to another’s', async () => {
    const paths = climbs(`${documents}/${bob.uid}/userData`, `../${secret}`)
      .concat(climbs(`${documents}/${bob.uid}`, secret))
      .concat([
        `${documents}/${bob.uid}%2f..%2f${ann.uid}/userData/userObject`,
        `${documents}/${ann.uid}%00/userData/userObject`,
        `${documents}/./${secret}`,
        `/v1/projects/${PROJECT}/databases/(default)/../(default)/documents/users/${secret}`,
        `/v1/projects/x/../${PROJECT}/databases/(default)/documents/users/${secret}`,
        `/v1//projects/${PROJECT}/databases/(default)/documents/users/${secret}`,
        `/V1/${ROOT}/users/${secret}`,
        `/%76%31/${ROOT}/users/${secret}`,
        `${world.origin}/v1/${ROOT}/users/${secret}`,
      ]);
    await all(paths, bob.token);
    await all(paths, bob.token, 'DELETE');
    await all(paths, bob.token, 'PATCH', '{"fields":{}}');
  });

  attack('path tricks', 'to the server’s own databases and other projects', async () => {
    const own = [
      '__auth__',
      '__plans__',
      '__events__',
      '%5f%5fauth%5f%5f',
      '(default)%2f..%2f__auth__',
      '__auth__%00',
    ];
    for (const database of own) {
      for (const token of [bob.token, world.people.root.token]) {
        const path = `/v1/projects/${PROJECT}/databases/${database}/documents/accounts/${ann.uid}`;
        const reply = await raw(world, 'GET', path, { token });
        harmless(reply, path);
        assert.notEqual(reply.status, 200, path);
        assert.ok(!/argon2|ann@example/.test(reply.text), path);
      }
    }
  });

  attack('path tricks', 'names inside requests', async () => {
    const names = [
      `users/${bob.uid}/../${secret}`,
      `users/${bob.uid}/userData/../../${secret}`,
      `users/${bob.uid}%2f..%2f${secret}`,
      `users/${bob.uid}//${secret}`,
      `users/${ann.uid}\u0000/userData/userObject`,
      `users/./${secret}`,
      `/users/${secret}`,
      `users/${secret}/`,
      `users/${bob.uid}/a/${'x'.repeat(VERY_LONG)}`,
      `users/${bob.uid}${'/a/b'.repeat(200)}`,
    ];
    for (const path of names) {
      const name = `${ROOT}/${path}`;
      const update = { name, fields: encodeFields({ by: 'an attacker' }) };
      for (const [verb, body] of [
        ['batchGet', { documents: [name] }],
        ['commit', { writes: [{ update }] }],
        ['commit', { writes: [{ delete: name }] }],
      ]) {
        const reply = await world.ask('POST', `/v1/${ROOT}:${verb}`, { token: bob.token, body });
        harmless(reply, `${verb} ${path.slice(0, 200)}`);
        assert.ok(
          reply.status === 400 || reply.status === 403,
          `${verb} ${path.slice(0, 200)}: ${reply.text.slice(0, 300)}`,
        );
      }
    }
    const reference = { referenceValue: `${ROOT}/users/${bob.uid}/../${secret}` };
    const where = { fieldFilter: { field: { fieldPath: '__name__' }, op: 'EQUAL', value: reference } };
    const structuredQuery = { from: [{ collectionId: 'userData', allDescendants: true }], where };
    const reply = await world.ask('POST', `/v1/${ROOT}:runQuery`, {
      token: bob.token,
      body: { structuredQuery },
    });
    harmless(reply, 'a reference');
    assert.ok(reply.status === 400 || reply.status === 403, reply.text);
  });

  attack('path tricks', 'files of others, and of the machine', async () => {
    const bucket = `${PROJECT}.firebasestorage.app`;
    const file = (name) => `/v0/b/${bucket}/o/${name}`;
    const upload = await world.ask(
      'POST',
      `/v0/b/${bucket}/o?name=${encodeURIComponent(`users/${ann.uid}/secret.csv`)}`,
      {
        token: ann.token,
        body: SECRET,
        headers: { 'content-type': 'text/csv' },
      },
    );
    assert.equal(upload.status, 200, upload.text);
    const theirs = `users%2f${ann.uid}%2fsecret.csv`;
    refused403(await world.ask('GET', `${file(theirs)}?alt=media`, { token: bob.token }));
    const paths = [
      ...climbs(file(`users%2f${bob.uid}`), `${ann.uid}%2fsecret.csv`),
      ...climbs(`/v0/b/${bucket}/o/users%2f${bob.uid}`, `..%2f${ann.uid}%2fsecret.csv`),
      `/v0/b/${bucket}%2f..%2f${bucket}/o/${theirs}`,
      `/v0/b/../b/${bucket}/o/${theirs}`,
      file(`users%2f${bob.uid}%2f..%2f..%2f..%2fdata%2fkeys`),
      file(`users%2f${bob.uid}%2f${'x'.repeat(5_000)}`),
    ].map((path) => `${path}?alt=media`);
    await all(paths, bob.token);
    // A file uploaded under such a name lands in the caller's own folder, or nowhere.
    for (const name of [
      `users/${bob.uid}/../${ann.uid}/secret.csv`,
      `users/${bob.uid}/\u0000`,
      '../../keys/a.pem',
    ]) {
      const put = await world.ask('POST', `/v0/b/${bucket}/o?name=${encodeURIComponent(name)}`, {
        token: bob.token,
        body: 'an attacker’s',
        headers: { 'content-type': 'text/csv' },
      });
      harmless(put, name);
    }
    const still = await world.ask('GET', `${file(theirs)}?alt=media`, { token: ann.token });
    assert.equal(still.text, SECRET);
  });

  attack('path tricks', 'from the application’s files to the machine’s', async () => {
    const key = await readFile('/etc/hostname', 'utf8').then((text) => text.trim());
    const here = join(world.data, 'tuckbox.lock');
    const places = ['etc/hostname', 'etc/passwd', here.slice(1), 'Cargo.toml', 'data/tuckbox.lock'];
    const ups = [
      '/..',
      '/%2e%2e',
      '/..%2f',
      '/%2e%2e%2f',
      '/..%5c',
      '/%252e%252e',
      '/.%00.',
      '/assets/..',
      '//..',
      '/%c0%ae%c0%ae',
    ];
    const paths = places.flatMap((place) =>
      ups.flatMap((up) => [`${up.repeat(12)}/${place}`, `${up}/${place}`]),
    );
    for (const path of [
      ...paths,
      ...places.map((place) => `//${place}`),
      `/${'a/'.repeat(5_000)}`,
      `/${'x'.repeat(VERY_LONG)}`,
      '/\u0000',
      '/%00',
    ]) {
      const reply = await raw(world, 'GET', path);
      harmless(reply, path.slice(0, 200));
      assert.ok(!/root:x:0|\[workspace\]/.test(reply.text), path);
      assert.ok(!new RegExp(`^${key}$`, 'm').test(reply.text), path);
    }
  });

  attack('path tricks', 'very long paths, tokens and heads', async () => {
    for (const reply of [
      await raw(world, 'GET', `${documents}/${bob.uid}/a/${'x'.repeat(VERY_LONG)}`, { token: bob.token }),
      await raw(world, 'GET', `${documents}/${bob.uid}${'/a/b'.repeat(10_000)}`, { token: bob.token }),
      await raw(world, 'GET', `${documents}/${bob.uid}/a/${'%61'.repeat(10_000)}`, { token: bob.token }),
      await raw(world, 'GET', `${documents}/${secret}?${'a=b&'.repeat(20_000)}`, { token: bob.token }),
      await raw(world, 'GET', `${documents}/${secret}`, { token: 'x'.repeat(VERY_LONG) }),
      await raw(world, 'GET', `${documents}/${secret}`, { token: bob.token, host: 'x'.repeat(VERY_LONG) }),
    ]) {
      harmless(reply, 'a long one');
      assert.notEqual(reply.status, 200);
    }
  });

  attack('path tricks', 'names of functions', async () => {
    const paths = [
      '../deleteMyAccount',
      '..%2fdeleteMyAccount',
      'deleteMyAccount%00',
      '__proto__',
      'constructor',
      'x'.repeat(10_000),
    ];
    for (const path of paths) {
      const reply = await raw(world, 'POST', `/us-central1-${PROJECT}/${path}`, { body: '{"data":null}' });
      harmless(reply, path.slice(0, 100));
      assert.notEqual(reply.status, 200, path);
    }
  });
}

function refused403(reply) {
  assert.equal(reply.status, 403, reply.text);
  if (/PERMISSION_DENIED/.test(reply.text)) refused(reply, 'a file');
}
