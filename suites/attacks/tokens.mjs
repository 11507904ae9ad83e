// Tokens that do not hold, at every door of the server.
import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD, PROJECT, ROOT, SECRET } from './world.mjs';

const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
const claimsOf = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
const headerOf = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url'));
const rs256 = (header, claims, key) => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
};

/** The server's own key, as whoever has its disk could take it: only so can a token be expired and otherwise true. */
async function ownKey(world) {
  const folder = join(world.data, 'keys');
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.pem'));
  assert.equal((await stat(join(folder, file))).mode & 0o077, 0, 'the key is for its owner alone');
  return createPrivateKey(await readFile(join(folder, file)));
}

/** Every door that takes a token, as `[name, ask]`. */
function doors(world) {
  const { ann } = world.people;
  const ask = (method, path, token, body) => world.ask(method, path, { token, body });
  const account = (operation, body) => (token) =>
    ask('POST', `/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=k`, undefined, {
      idToken: token,
      ...body,
    });
  const secret = `users/${ann.uid}/userData/userObject`;
  const listen = { addTarget: { targetId: 1, documents: { documents: [`${ROOT}/${secret}`] } } };
  const channel = async (token) => {
    const database = `projects/${PROJECT}/databases/(default)`;
    const at = `/google.firestore.v1.Firestore/Listen/channel?VER=8&database=${encodeURIComponent(database)}`;
    const init = encodeURIComponent(`Authorization:Bearer ${token}\r\n`);
    const data = encodeURIComponent(JSON.stringify({ database, ...listen }));
    const opened = await world.ask('POST', `${at}&RID=1&CVER=22&$httpHeaders=${init}`, {
      body: `count=1&ofs=0&req0___data__=${data}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    // The channel itself is for everybody; what was asked for is answered on its way back.
    const [, session] = /\["c","([^"]+)"/.exec(opened.text);
    return await world.ask('GET', `${at}&RID=rpc&SID=${session}&AID=0&CI=1&TYPE=xmlhttp`);
  };
  const bucket = `${PROJECT}.firebasestorage.app`;
  return [
    ['a document', (token) => ask('GET', `/v1/${ROOT}/${secret}`, token)],
    [
      'a query',
      (token) =>
        ask('POST', `/v1/${ROOT}/users/${ann.uid}:runQuery`, token, {
          structuredQuery: { from: [{ collectionId: 'layouts' }] },
        }),
    ],
    [
      'a write',
      (token) => ask('POST', `/v1/${ROOT}:commit`, token, { writes: [{ delete: `${ROOT}/${secret}` }] }),
    ],
    ['a listener', (token) => ask('POST', `/v1/${ROOT}:listen`, token, listen)],
    ['a channel', channel],
    [
      'a file',
      (token) => ask('GET', `/v0/b/${bucket}/o/${encodeURIComponent(`users/${ann.uid}/a.png`)}`, token),
    ],
    [
      'files',
      (token) => ask('GET', `/v0/b/${bucket}/o?prefix=${encodeURIComponent(`users/${ann.uid}/`)}`, token),
    ],
    ['a function', (token) => ask('POST', `/us-central1-${PROJECT}/exportMyData`, token, { data: {} })],
    [
      'deleting oneself',
      (token) => ask('POST', `/us-central1-${PROJECT}/deleteMyAccount`, token, { data: null }),
    ],
    [
      'an admin’s function',
      (token) => ask('POST', `/us-central1-${PROJECT}/adminUsage`, token, { data: null }),
    ],
    ['the account', account('lookup')],
    ['its password', account('update', { password: 'an attacker’s' })],
    ['its end', account('delete')],
    ['its sessions', (token) => ask('GET', '/__/account/sessions', token)],
    ['the end of a session', (token) => ask('DELETE', '/__/account/sessions/any', token)],
    ['its recovery codes', (token) => ask('POST', '/__/account/recoveryCodes', token)],
    ['their number', (token) => ask('GET', '/__/account/recoveryCodes', token)],
    ['its mail', account('sendOobCode', { requestType: 'VERIFY_EMAIL' })],
  ];
}

async function refusedEverywhere(world, token) {
  for (const [name, ask] of doors(world)) {
    const { status, text } = await ask(token);
    const what = `${name}: ${status} ${text.slice(0, 300)}`;
    assert.ok(!text.includes(SECRET), `${what} leaked`);
    assert.match(
      text,
      /UNAUTHENTICATED|INVALID_ID_TOKEN|TOKEN_EXPIRED|USER_NOT_FOUND|USER_DISABLED|"code": ?(16|401)\b/,
      what,
    );
  }
}

export function tokenAttacks(world, attack) {
  const { ann, root } = world.people;
  const each = (phrase, what, tokens) =>
    attack(phrase, what, async () => {
      for (const token of await tokens()) await refusedEverywhere(world, token);
      const { text } = await world.get(`users/${ann.uid}/userData/userObject`, ann);
      assert.ok(text.includes(SECRET), 'the true token still does');
    });
  const now = () => Math.floor(Date.now() / 1000);

  each('expired token', 'an hour old, though truly signed; from the future; without an end', async () => {
    const [key, header, claims] = [await ownKey(world), headerOf(ann.token), claimsOf(ann.token)];
    const made = (times) => rs256(header, { ...claims, ...times }, key);
    const good = await world.get(`users/${ann.uid}/userData/userObject`, { token: made({}) });
    assert.equal(good.status, 200, 'the key is the right one');
    return [
      made({ iat: now() - 7200, exp: now() - 3600 }),
      made({ iat: now() - 3601, exp: now() - 1 }),
      made({ iat: now() + 3600, exp: now() + 7200 }),
      made({ exp: undefined }),
      made({ exp: 'never' }),
    ];
  });

  each('forged token', 'other keys, other algorithms, other people’s names', async () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [header, claims] = [headerOf(ann.token), claimsOf(ann.token)];
    const { text } = await world.ask('GET', '/.well-known/jwks.json');
    const published = createPublicKey({ key: JSON.parse(text).keys[0], format: 'jwk' });
    const [, , signature] = ann.token.split('.');
    const asAdmin = { ...claims, admin: true };
    const hmac = (secret) => {
      const signed = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const jwk = { ...stranger.publicKey.export({ format: 'jwk' }), kid: 'mine' };
    return [
      rs256(header, claims, stranger.privateKey),
      rs256({ ...header, jwk, kid: 'mine' }, claims, stranger.privateKey),
      rs256({ ...header, jku: 'http://127.0.0.1:1/keys' }, claims, stranger.privateKey),
      rs256({ ...header, kid: '../../../../../etc/hostname' }, claims, stranger.privateKey),
      rs256({ ...header, kid: undefined }, claims, stranger.privateKey),
      hmac(published.export({ type: 'spki', format: 'pem' })),
      hmac(published.export({ type: 'pkcs1', format: 'pem' })),
      hmac(''),
      `${part(header)}.${part(asAdmin)}.${signature}`,
      `${part(header)}.${part({ ...claims, sub: root.uid, user_id: root.uid })}.${signature}`,
      ann.token.slice(0, -4),
      `${ann.token}.`,
      ann.refresh,
      'owner',
      '{"sub":"ann","admin":true}',
      'x'.repeat(20_000),
    ];
  });

  each('alg none', 'in every spelling, with and without a signature', () => {
    const claims = { ...claimsOf(ann.token), admin: true };
    const [, , signature] = ann.token.split('.');
    return ['none', 'None', 'NONE', 'nOnE', '', null, undefined].flatMap((alg) => {
      const unsigned = `${part({ ...headerOf(ann.token), alg })}.${part(claims)}`;
      return [`${unsigned}.`, `${unsigned}.${signature}`, unsigned];
    });
  });

  each('foreign-project token', 'signed with our own key, but for somebody else', async () => {
    const [key, header, claims] = [await ownKey(world), headerOf(ann.token), claimsOf(ann.token)];
    const issuer = 'https://securetoken.google.com';
    return [
      { aud: 'other' },
      { iss: `${issuer}/other` },
      { aud: 'other', iss: `${issuer}/other` },
      { aud: [PROJECT, 'other'] },
      { iss: `https://session.firebase.google.com/${PROJECT}` },
      { iss: `${issuer}/${PROJECT}/` },
    ].map((other) => rs256(header, { ...claims, ...other }, key));
  });

  attack('foreign-project token', 'another project’s name on our documents', async () => {
    const other = ROOT.replace(PROJECT, 'other');
    for (const path of [`users/${ann.uid}/userData/userObject`, 'playtests/s']) {
      const { status, text } = await world.ask('GET', `/v1/${other}/${path}`, { token: ann.token });
      assert.ok(status === 401 || status === 403, `${status} ${text}`);
    }
  });

  each(
    'revoked token',
    'after signing out everywhere, shutting out, a new password and the end',
    async () => {
      const made = (name) => world.signUp(name, `${name}@example.com`);
      const [out, shut, changed, gone] = await Promise.all(['out', 'shut', 'changed', 'gone'].map(made));
      const done = [
        await world.call('signOutEverywhere', null, out.token),
        await world.call('adminChangePerson', { uid: shut.uid, action: 'disable' }, root.token),
        await world.call('deleteMyAccount', null, gone.token),
      ];
      // Revocation counts whole seconds: what was issued in this one goes on.
      await new Promise((next) => setTimeout(next, 1_005 - (Date.now() % 1_000)));
      done.push(await world.accounts('update', { idToken: changed.token, password: `${PASSWORD} 2` }));
      for (const { status, reply } of done) assert.equal(status, 200, JSON.stringify(reply));
      for (const person of [out, shut, changed, gone]) {
        const path = '/securetoken.googleapis.com/v1/token?key=k';
        const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: person.refresh });
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const { status } = await world.ask('POST', path, { body: body.toString(), headers });
        assert.equal(status, 400, `${person.name} got a new token`);
      }
      return [out, shut, changed, gone].map((person) => person.token);
    },
  );
}
