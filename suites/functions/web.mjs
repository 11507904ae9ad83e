// Functions that answer any request: every method, the bytes as they were sent, answers in parts, settings.
import assert from 'node:assert/strict';
import { db, PROJECT, service, test, unique } from './harness.mjs';

const url = async (name, rest = '') => `${await service('functions')}/${PROJECT}/us-central1/${name}${rest}`;

test('every method reaches a function of either generation, with its path and query', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const body = method === 'GET' ? {} : { body: 'x=1' };
    const answer = await fetch(await url('web', '/deep/path?a=1&b=2'), { method, ...body });
    assert.deepEqual([answer.status, answer.headers.get('x-answer')], [201, 'yes']);
    const told = await answer.json();
    assert.deepEqual(
      [told.method, told.path, told.query, told.bytes],
      [method, '/deep/path', { a: '1', b: '2' }, method === 'GET' ? 0 : 3],
    );
    const first = await fetch(await url('v1web'), { method, ...body });
    assert.deepEqual([first.status, await first.text()], [200, `v1 ${method}`]);
  }
  const head = await fetch(await url('web'), { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('x-answer'), await head.text()], [201, 'yes', '']);
});

test('a function has the very bytes that were sent, whatever they are called', async () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const bodies = [
    ['application/octet-stream', every],
    ['application/json', Buffer.from('{ "a" :  [1,\n2] }')],
    ['application/x-www-form-urlencoded', Buffer.from('a=1&a=%20b+c')],
    ['text/plain', Buffer.from('héllo\r\n')],
    ['image/png', Buffer.alloc(300_000, 137)],
  ];
  for (const [type, body] of bodies) {
    const answer = await fetch(await url('mirror'), {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    assert.ok(body.equals(Buffer.from(await answer.arrayBuffer())), type);
  }
});

test('an answer comes in parts, as they are written', async () => {
  const id = unique();
  const { body } = await fetch(await url('parts', `?id=${id}`));
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, 'first\n');
  await db.doc(`go/${id}`).set({});
  assert.equal((await reader.read()).value, 'second\n');
  assert.equal((await reader.read()).done, true);
});

test('settings are those of the project, then of this machine, then what parameters begin with', async () => {
  const answer = await fetch(await url('settings'));
  assert.deepEqual(await answer.json(), {
    everywhere: 'for all',
    place: 'here',
    own: 'mine',
    most: 3,
    open: true,
    token: 'not-told',
    emulator: 'true',
    project: PROJECT,
    config: PROJECT,
    hosts: [true, true, true],
  });
});
