// The callable protocol around functions in Node: every code with its status and details, every header, every refusal.
import assert from 'node:assert/strict';
import { CODES, call, logs, OURS, PROJECT, STATUSES, service, test, unique } from './harness.mjs';

const url = async (name) => `${await service('functions')}/${PROJECT}/us-central1/${name}`;
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1_000);
const token = `${part({ alg: 'none', typ: 'JWT' })}.${part({
  iss: `https://securetoken.google.com/${PROJECT}`,
  aud: PROJECT,
  sub: 'ann',
  user_id: 'ann',
  iat: now,
  auth_time: now,
  exp: now + 3_600,
  firebase: { identities: {}, sign_in_provider: 'custom' },
})}.`;
const attestation = `${part({ alg: 'none', typ: 'JWT' })}.${part({
  iss: 'https://firebaseappcheck.googleapis.com/1',
  aud: [`projects/${PROJECT}`],
  sub: 'web-app',
  exp: now + 3_600,
})}.`;

async function send(name, { body = '{"data":null}', headers = {}, method = 'POST' } = {}) {
  const given = { 'content-type': 'application/json', ...headers };
  const init = { method, headers: given, ...(method === 'GET' ? {} : { body }) };
  const answer = await fetch(await url(name), init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('every code comes with its status, its message and its details', async () => {
  for (const code of CODES) {
    const { status, body } = await call('fail', code);
    const expected = {
      status: code.toUpperCase().replaceAll('-', '_'),
      message: `as ${code}`,
      details: { code },
    };
    assert.deepEqual([status, body], [STATUSES[code], { error: expected }]);
  }
});

test('ok is a result, and a failure that nobody named says nothing', async () => {
  assert.deepEqual(await call('echo', { a: [1, null, 'é'] }), {
    status: 200,
    body: { result: { data: { a: [1, null, 'é'] }, uid: null } },
  });
  for (const name of ['break', 'rejects']) {
    const { status, body } = await call(name, null);
    assert.deepEqual([status, body], [500, { error: { message: 'INTERNAL', status: 'INTERNAL' } }], name);
  }
});

test('integers of 64 bits are numbers', async () => {
  const integer = (kind, value) => ({ '@type': `type.googleapis.com/google.protobuf.${kind}`, value });
  const { body } = await call('echo', [integer('Int64Value', '-5'), { n: integer('UInt64Value', '7') }]);
  assert.deepEqual(body.result.data, [-5, { n: 7 }]);
});

test('the user, the application and the messaging token are what the headers say', async () => {
  const nobody = { uid: null, app: null, instance: null };
  assert.deepEqual((await call('who', null)).body.result, nobody);
  const headers = {
    authorization: `Bearer ${token}`,
    'x-firebase-appcheck': attestation,
    'firebase-instance-id-token': 'messages',
  };
  const all = { uid: 'ann', app: 'web-app', instance: 'messages' };
  assert.deepEqual((await call('who', null, headers)).body.result, all);
});

test('requests off the protocol are bad requests', async () => {
  const rows = [
    { method: 'GET' },
    { method: 'PUT' },
    { headers: { 'content-type': 'text/plain' } },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'data=1' },
    { body: '{}' },
    { body: '{"data":1,"more":2}' },
    { body: '[1]' },
  ];
  for (const row of rows) {
    const { status, text } = await send('echo', row);
    assert.deepEqual([JSON.stringify(row), status], [JSON.stringify(row), 400]);
    assert.equal(JSON.parse(text).error.status, 'INVALID_ARGUMENT');
  }
});

if (OURS) {
  // The official suite answers in other words, which pages of other origins cannot read.
  test('a body that is no JSON is a bad request too', async () => {
    for (const body of ['{"data"', '{"data":1} x', '']) {
      const { status, headers, text } = await send('echo', {
        body,
        headers: { origin: 'https://a.example' },
      });
      assert.deepEqual([body, status, JSON.parse(text).error.status], [body, 400, 'INVALID_ARGUMENT']);
      assert.ok(['https://a.example', '*'].includes(headers.get('access-control-allow-origin')));
    }
  });
}

test('a page of any origin may ask', async () => {
  const origin = 'https://app.example';
  const preflight = await fetch(await url('echo'), {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  assert.equal(preflight.status, 204);
  assert.ok([origin, '*'].includes(preflight.headers.get('access-control-allow-origin')));
  const { headers } = await send('echo', { headers: { origin } });
  assert.ok([origin, '*'].includes(headers.get('access-control-allow-origin')));
});

test('whoever accepts events gets chunks and then the result', async () => {
  const { text } = await send('count', {
    body: '{"data":{"to":2}}',
    headers: { accept: 'text/event-stream' },
  });
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '));
  const said = events.map((event) => JSON.parse(event.slice('data: '.length)));
  assert.deepEqual(said, [{ message: 1 }, { message: 2 }, { result: 2 }]);
});

/** Calls a function that waits, and hangs up on it. */
async function hangUp(accept) {
  const id = unique();
  const caller = new AbortController();
  const answer = fetch(await url('patient'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ data: { id } }),
    signal: caller.signal,
  });
  await logs('waiting', id);
  caller.abort();
  await assert.rejects(
    answer.then((begun) => begun.text()),
    { name: 'AbortError' },
  );
  await logs('left', id);
}

if (OURS) {
  // The official suite tells a function nothing of it.
  test('a function is told when its caller hangs up, before its answer or in the middle of it', async () => {
    await hangUp('application/json');
    await hangUp('text/event-stream');
  });

  test('a call ends at its deadline, and its function is told', async () => {
    // By then its worker has loaded what writes to documents, which holds it up for a while.
    await hangUp('application/json');
    const id = unique();
    const { status, body } = await call('impatient', { id });
    assert.deepEqual([status, body.error.status], [504, 'DEADLINE_EXCEEDED']);
    await logs('left', id);
    const streamed = unique();
    const { text } = await send('impatient', {
      body: JSON.stringify({ data: { id: streamed } }),
      headers: { accept: 'text/event-stream' },
    });
    assert.match(text, /^data: \{"message":"waiting"\}\n\n/);
    assert.match(text, /data: \{"error":\{.*"status":"DEADLINE_EXCEEDED".*\}\}\n\n$/);
    await logs('left', streamed);
  });

  // The official suite lets whoever sends it in, as nobody.
  test('a token that is none is refused before the function runs', async () => {
    for (const authorization of ['Bearer nonsense', 'Bearer a.b.c']) {
      const { status, body } = await call('who', null, { authorization });
      assert.deepEqual([status, body.error.status], [401, 'UNAUTHENTICATED']);
    }
  });

  test('a request has an id, which is its trace, and its function is told', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const told = await send('trace', { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
    assert.equal(told.headers.get('x-request-id'), trace);
    assert.match(JSON.parse(told.text).result, new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    const own = await send('trace');
    const id = own.headers.get('x-request-id');
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(JSON.parse(own.text).result.split('-')[1], id);
    assert.notEqual((await send('nothing')).headers.get('x-request-id'), id);
  });

  test('a function that is not there is named', async () => {
    const { status, body } = await call('nothing', null);
    assert.deepEqual([status, body.error.status], [404, 'NOT_FOUND']);
    assert.match(body.error.message, /nothing/);
  });
}
