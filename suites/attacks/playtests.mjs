// A playtest table: its log by every name, what the server says of it, and its socket.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { tableBySdk } from './sdk.mjs';
import { ownedBy, PASSWORD, PROJECT, ROOT, SECRET } from './world.mjs';

/** A table of Ann's project; its only card carries the secret and lies in the box. */
async function openTable(world) {
  const box = {
    backs: [{ look: '{}', kind: 'card', size: [630, 880] }],
    definitions: [{ face: JSON.stringify({ name: SECRET }), back: 0, copies: 1 }],
  };
  const data = { projectId: 'd', name: 'Friday', box, seats: [{ name: 'Red' }, { name: 'Blue' }] };
  const { status, reply } = await world.call('openTable', data, world.people.ann.token);
  assert.equal(status, 200, JSON.stringify(reply));
  return reply.result.table;
}

/** A socket of a table: what it is sent, and its end; or the status with which it is refused. */
function connected(world, table, headers = {}) {
  const { hostname, port } = new URL(world.origin);
  const asked = request({
    hostname,
    port,
    path: `/__/table/${table}/socket`,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    },
  });
  asked.end();
  return new Promise((done, failed) => {
    asked.on('upgrade', (_, socket, head) => done({ socket, head }));
    asked.on('response', (response) => done({ status: response.resume().statusCode }));
    asked.on('error', failed);
  });
}

/** A message as a client sends it: a text whose mask is zero. */
function masked(message) {
  const payload = Buffer.from(JSON.stringify(message));
  const size =
    payload.length < 126 ? [payload.length] : [126, Math.floor(payload.length / 256), payload.length % 256];
  return Buffer.concat([Buffer.from([0x81, size[0] + 0x80, ...size.slice(1), 0, 0, 0, 0]), payload]);
}

/** The first message that a socket answers its hello with. */
async function said(world, table, hello) {
  const { socket, head, status } = await connected(world, table);
  assert.ok(socket, `the socket was refused: ${status}`);
  return new Promise((done, failed) => {
    let all = head;
    socket.on('error', failed);
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk]);
      if (all.length < 4) return;
      const [start, length] = all[1] < 126 ? [2, all[1]] : [4, all.readUInt16BE(2)];
      if (all.length < start + length) return;
      socket.destroy();
      done(all[0] % 16 === 1 ? all.subarray(start, start + length).toString() : 'a binary message');
    });
    socket.write(masked(hello));
  });
}

/** Everything that a socket is sent until the server ends it. */
async function untilItsEnd(world, table, hello, then) {
  const { socket, head } = await connected(world, table);
  let all = head;
  const ended = once(socket, 'close');
  socket.on('data', (chunk) => {
    all = Buffer.concat([all, chunk]);
  });
  socket.on('end', () => socket.end());
  socket.write(masked(hello));
  await once(socket, 'data');
  await then();
  await ended;
  return all.toString('latin1');
}

/** The account that a custom token signs in to. */
export async function signedIn(world, custom) {
  const { status, reply } = await world.accounts('signInWithCustomToken', {
    token: custom,
    returnSecureToken: true,
  });
  assert.equal(status, 200, JSON.stringify(reply));
  const { idToken: token } = reply;
  const { user_id: uid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  return { uid, token, custom };
}

export function playtestAttacks(world, context, suite, attack) {
  const hands = 'hands of others at a table';
  let opening;
  const table = () => {
    opening ??= openTable(world);
    return opening;
  };
  const scopes = () => {
    const { ann, bob, eve } = world.people;
    return [ann, bob, eve].map(({ uid, email }) => ({
      origin: world.origin,
      project: PROJECT,
      email,
      password: PASSWORD,
      uid,
    }));
  };
  const isRefused = (outcomes, who) => {
    for (const [nth, one] of outcomes.entries()) {
      // A listener on a database that is refused is told that there is no server.
      const refusals = ['permission-denied', 'invalid-argument', 'unavailable'];
      assert.ok(refusals.includes(one), `${who} ${nth}: ${one}`);
    }
  };

  attack(hands, 'Node: the log by the official SDK over gRPC', async () => {
    for (const scope of scopes()) isRefused(await tableBySdk(scope, await table()), scope.email);
  });

  attack(hands, 'Chrome: the log by the official SDK over WebChannel', async () => {
    const page = await context.newPage();
    await page.goto(suite.url);
    for (const scope of scopes()) {
      const ask = ([asked, id]) => globalThis.suite.tableBySdk(asked, id);
      isRefused(await page.evaluate(ask, [scope, await table()]), scope.email);
    }
  });

  attack(hands, 'what calls and sockets say before a card is shown', async () => {
    const { ann, eve, bob } = world.people;
    const id = await table();
    for (const { token } of [ann, eve]) {
      const { status, reply } = await world.call('tableView', { table: id }, token);
      assert.equal(status, 200);
      assert.ok(!JSON.stringify(reply).includes(SECRET));
    }
    for (const name of ['tableView', 'deleteTable']) {
      const { status } = await world.call(name, { table: id }, bob.token);
      assert.equal(status, 404, name);
    }
    const act = { verb: 'claim', as: 1, name: 'Bob' };
    assert.equal((await world.call('actAtTable', { table: id, act }, bob.token)).status, 404);
  });

  const joined = async (name) => {
    const { ann } = world.people;
    const id = await table();
    const { reply: seen } = await world.call('tableView', { table: id }, ann.token);
    const { code } = seen.result.messages.find((message) => message.admission).admission;
    const { status, reply } = await world.call('joinTable', { code, name });
    assert.equal(status, 200, JSON.stringify(reply));
    return { id, code, ...(await signedIn(world, reply.result.token)) };
  };

  attack(
    'a guest beyond the table',
    'every function, their own and others’ documents, files, tables',
    async () => {
      const { ann } = world.people;
      const { id, uid, token, custom } = await joined('Gus');
      assert.equal((await world.call('tableView', { table: id }, token)).status, 200);
      const closed = [
        'openTable',
        'deleteTable',
        'deleteDeck',
        'exportDeck',
        'exportMyData',
        'deleteMyAccount',
      ];
      for (const name of [
        ...closed,
        'readInvitation',
        'acceptInvitation',
        'inviteToDeck',
        'fetchTable',
        'whereIs',
      ]) {
        const { status } = await world.call(name, { table: id, deckId: 'd' }, token);
        assert.equal(status, 403, name);
      }
      const change = { table: id, change: { lock: true } };
      assert.equal((await world.call('changeTableAdmission', change, token)).status, 403);
      const fields = { name: { stringValue: 'mine' } };
      const own = [
        `users/${uid}`,
        `users/${uid}/userData/userObject`,
        `users/${uid}/layouts/a`,
        `users/${uid}/x/y/z/w`,
      ];
      const others = [
        'projects/mine',
        'projects/d',
        `playtests/${id}`,
        `playtests/${id}/feedback/f`,
        'stock/p',
      ];
      for (const path of [...own, ...others]) {
        const address = `/v1/${ROOT}/${path}`;
        for (const [method, body] of [['GET'], ['PATCH', { fields }], ['DELETE']]) {
          const { status } = await world.ask(method, address, { token, body });
          assert.equal(status, 403, `${method} ${path}`);
        }
      }
      for (const folder of [`users/${uid}`, `users/${ann.uid}`, 'projects/d', 'stock']) {
        const name = encodeURIComponent(`${folder}/a.csv`);
        const bucket = `/v0/b/${PROJECT}.appspot.com/o`;
        const headers = { 'content-type': 'text/csv' };
        const put = await world.ask('POST', `${bucket}?uploadType=media&name=${name}`, {
          token,
          body: 'a,b',
          headers,
        });
        assert.equal(put.status, 403, `put ${folder}`);
        assert.equal(
          (await world.ask('GET', `${bucket}/${name}?alt=media`, { token })).status,
          403,
          `get ${folder}`,
        );
      }
      // A password of one's own, or an account made anew, is no way out of the claim.
      const email = `gus-${uid.toLowerCase()}@example.com`;
      await world.accounts('update', { idToken: token, email, password: PASSWORD });
      const again = { email, password: PASSWORD, returnSecureToken: true };
      const { status, reply } = await world.accounts('signInWithPassword', again);
      const session = status === 200 ? reply.idToken : token;
      assert.equal((await world.call('exportMyData', {}, session)).status, 403);
      await world.accounts('delete', { idToken: session });
      assert.equal((await world.accounts('signInWithCustomToken', { token: custom })).status, 400);
    },
  );

  attack('coming back after being removed', 'by resume, by the code, as somebody else', async () => {
    const { ann } = world.people;
    const { id, code, uid, token } = await joined('Kay');
    const view = await world.call('tableView', { table: id }, token);
    const { epoch, n } = view.reply.result.messages[0].state;
    const kick = { table: id, change: { kick: uid } };
    assert.equal((await world.call('changeTableAdmission', kick, ann.token)).status, 200);
    const have = { epoch, n };
    for (const data of [{ table: id }, { table: id, have }, { table: id, have, seat: 1 }]) {
      assert.equal((await world.call('tableView', data, token)).status, 403);
    }
    const act = { verb: 'claim', as: 1, name: 'Kay' };
    assert.equal((await world.call('actAtTable', { table: id, act }, token)).status, 403);
    const out = { bye: { why: 'out', again: false } };
    assert.deepEqual(JSON.parse(await said(world, id, { hello: 2, token })), out);
    assert.deepEqual(JSON.parse(await said(world, id, { hello: 2, token, have })), out);
    for (const who of [token, undefined]) {
      assert.equal(
        (await world.call('joinTable', { code, name: 'Kay' }, who)).status,
        404,
        'the code has ended',
      );
    }
  });

  attack('codes of tables guessed', 'one address; the right code does not help any more', async () => {
    const { code } = await joined('Liz');
    const statuses = [];
    for (const sign of '3456789ABCDEFG') {
      const { status } = await world.call('joinTable', { code: `22222${sign}`, name: 'Eve' });
      statuses.push(status);
    }
    assert.ok(statuses.filter((status) => status === 404).length <= 10, statuses.join());
    assert.equal(statuses.at(-1), 429);
    assert.equal((await world.call('joinTable', { code, name: 'Eve' })).status, 429);
  });

  attack('an act that works for minutes', 'a button of six thousand steps', async () => {
    const { ann } = world.people;
    const id = await table();
    const act = async (asked) => {
      const { status, reply } = await world.call('actAtTable', { table: id, act: asked }, ann.token);
      assert.equal(status, 200, JSON.stringify(reply));
      return reply.result.messages.at(-1);
    };
    const say = { do: 'say', text: 'again', times: { fixed: 100 } };
    const button = { steps: Array.from({ length: 60 }, () => say) };
    await act({ verb: 'edit', edit: { button: { name: 'Endless', button } } });
    const all = await Promise.all(Array.from({ length: 40 }, () => act({ verb: 'run', button: 'Endless' })));
    assert.ok(all.some(({ code }) => code === 'rate'));
  });

  attack('a table that takes the server for itself', 'a hundred whole views of the largest box', async () => {
    const { ann, eve } = world.people;
    const box = { backs: [], definitions: [], sets: [], common: 'x'.repeat(7 << 20) };
    const data = { projectId: 'd', name: 'Large', box, seats: [{ name: 'Red' }] };
    const named = { ...box, common: '', sets: [{ name: 'x'.repeat(1_000), members: [] }] };
    assert.equal((await world.call('openTable', { ...data, box: named }, ann.token)).status, 400);
    const { status, reply } = await world.call('openTable', data, ann.token);
    assert.equal(status, 200, JSON.stringify(reply).slice(0, 500));
    const { table: large } = reply.result;
    const view = ({ token }) => world.call('tableView', { table: large }, token);
    const all = await Promise.all(Array.from({ length: 100 }, () => view(ann)));
    const statuses = new Set(all.map((one) => one.status));
    assert.deepEqual(
      [...statuses].sort(),
      [200, 429],
      'some are answered, others told to wait; none times out',
    );
    assert.ok(all.filter((one) => one.status === 200).length < 20);
    assert.equal((await view(eve)).status, 200, 'others are let in');
    assert.equal((await world.call('deleteTable', { table: large }, ann.token)).status, 200);
  });

  attack('a forged name', 'at a table: one that turns text around, or is not seen', async () => {
    const { ann, eve } = world.people;
    const id = await table();
    for (const name of ['\u202eevil', '\u200b', 'a\nb']) {
      const act = { verb: 'claim', as: 1, name };
      const { reply } = await world.call('actAtTable', { table: id, act }, eve.token);
      assert.equal(reply.result.messages.at(-1).code, 'malformed', JSON.stringify(name));
      const box = { backs: [], definitions: [] };
      const data = { projectId: 'd', name, box, seats: [{ name: 'Red' }] };
      assert.equal((await world.call('openTable', data, ann.token)).status, 400, JSON.stringify(name));
    }
  });

  attack('a stranger’s socket at a table', 'accounts, tokens and ids that are none', async () => {
    const { ann, bob } = world.people;
    const id = await table();
    const stranger = await said(world, id, { hello: 2, token: bob.token });
    assert.deepEqual(JSON.parse(stranger), { bye: { why: 'not-found', again: false } });
    assert.equal(await said(world, 'unheard', { hello: 2, token: ann.token }), stranger);
    for (const token of ['', 'owner', `${ann.token}x`, ann.refresh]) {
      assert.match(await said(world, id, { hello: 2, token }), /signed-out/);
    }
    assert.match(await said(world, id, { hello: 2 }), /"why":"hello"/);
    assert.match(await said(world, id, { hello: 2, token: ann.token }), /^\{"state"|^a binary message$/);
  });

  attack(
    'a stranger’s socket at a table',
    'an account that is disabled while it sits there',
    async () => {
      const { ann } = world.people;
      const boss = world.people.root;
      const shut = await world.signUp('sam', 'sam@example.com');
      await world.put({ 'projects/sockets': ownedBy(ann, 'Sockets') }, ann);
      const deck = { ownerId: ann.uid, deckId: 'sockets' };
      const invited = await world.call('inviteToDeck', { ...deck, role: 'viewer', days: 7 }, ann.token);
      const { invitation } = invited.reply.result;
      assert.equal((await world.call('acceptInvitation', { ...deck, invitation }, shut.token)).status, 200);
      const box = { backs: [], definitions: [] };
      const data = { projectId: 'sockets', name: 'Friday', box, seats: [{ name: 'Red' }] };
      const id = (await world.call('openTable', data, ann.token)).reply.result.table;
      const hello = { hello: 2, token: shut.token };
      const all = await untilItsEnd(world, id, hello, async () => {
        const change = { uid: shut.uid, action: 'disable' };
        assert.equal((await world.call('adminChangePerson', change, boss.token)).status, 200);
      });
      assert.match(all, /signed-out/);
      // Revocation counts whole seconds.
      assert.match(await said(world, id, hello), /signed-out/);
    },
    { beside: true, long: true },
  );
}
