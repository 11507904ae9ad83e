// Attacks on accounts: set up before their owner comes, or taken over by their sessions and recovery codes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTuckbox } from '../shared/program.mjs';
import { linkTo } from './mail.mjs';
import { encodeFields, ownedBy, PASSWORD, PROJECT, ROOT } from './world.mjs';

export function accountAttacks(world, attack) {
  attack(
    'an account for a stranger’s address',
    'what was set before its owner came opens nothing afterwards',
    async () => {
      const email = 'target@example.com';
      await takenBack(world, email, await world.signUp('early', email));
    },
  );

  attack(
    'an account for a stranger’s address',
    'nor does it if the owner has confirmed a mail that they did not ask for',
    async () => {
      const email = 'confirmed@example.com';
      const early = await world.signUp('confirmed', email);
      await world.accounts('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: early.token });
      const oobCode = (await linkTo(world, email)).searchParams.get('oobCode');
      const { status, reply } = await world.accounts('update', { oobCode });
      assert.equal(status, 200, JSON.stringify(reply));
      await takenBack(world, email, early);
    },
  );

  attack('sessions of others', 'are not seen, not ended, and one that is ended opens nothing', async () => {
    const cleo = await world.signUp('cleo', 'cleo@example.com');
    const mallory = await world.signUp('mallory', 'mallory@example.com');
    const sessions = async ({ token }) =>
      JSON.parse((await world.ask('GET', '/__/account/sessions', { token })).text).sessions;
    const [own] = await sessions(cleo);
    assert.ok(own.current);
    assert.ok((await sessions(mallory)).every(({ id }) => id !== own.id));
    for (const id of [own.id, `..%2f${cleo.uid}%2fsessions%2f${own.id}`, cleo.uid, '*']) {
      const { status, text } = await world.ask('DELETE', `/__/account/sessions/${id}`, {
        token: mallory.token,
      });
      assert.ok(status >= 400 && status < 500, `${id}: ${status} ${text}`);
    }
    const path = `users/${cleo.uid}/notes/private`;
    await world.put({ [path]: { text: 'mine' } }, { token: cleo.token });
    // A stolen session ends at once, with every token it was given.
    const thief = await world.signIn({ ...cleo });
    const { id } = (await sessions(thief)).find(({ current }) => current);
    assert.equal((await world.get(path, thief)).status, 200);
    const ended = await world.ask('DELETE', `/__/account/sessions/${id}`, { token: cleo.token });
    assert.equal(ended.status, 200, ended.text);
    assert.equal((await world.get(path, thief)).status, 401);
    assert.equal((await world.get(path, cleo)).status, 200);
    const again = await world.ask('DELETE', `/__/account/sessions/${own.id}`, { token: thief.token });
    assert.match(again.text, /TOKEN_EXPIRED/);
  });

  attack(
    'a recovery code',
    'is no way around a first factor, a second one, or a recent sign-in',
    async () => {
      const vera = await world.signUp('vera', 'vera@example.com');
      const made = await world.ask('POST', '/__/account/recoveryCodes', { token: vera.token });
      assert.match(
        made.text,
        /CREDENTIAL_TOO_OLD_LOGIN_AGAIN/,
        'an account without a second factor has none',
      );
      for (const mfaPendingCredential of [vera.token, vera.refresh, '', 'e30.e30.', 'null']) {
        const body = { mfaPendingCredential, recoveryCode: 'abcd-efgh-jkmn' };
        const { status, text } = await world.ask('POST', '/__/account/recoverySignIn?key=any', { body });
        assert.equal(status, 400, text);
        assert.ok(!text.includes('refreshToken'), text);
      }
    },
  );

  attack('a passkey', 'signs nobody in whose authenticator has not signed', async () => {
    // Passkeys belong to a name, which the server of the other attacks does not have.
    const cwd = await mkdtemp(join(tmpdir(), 'tuckbox-named-'));
    const named = ['--public-url', 'http://localhost:4711', '--host', '127.0.0.1', '--port', '0'];
    const server = await startTuckbox(['serve', '--data', cwd, '--project', PROJECT, ...named], { cwd });
    try {
      const post = async (path, body) => {
        const url = `${server.origin}/identitytoolkit.googleapis.com/${path}?key=any`;
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: response.status, reply: await response.json() };
      };
      const person = { email: 'bob@example.com', password: PASSWORD };
      const { reply: bob } = await post('v1/accounts:signUp', person);
      const { idToken } = bob;
      const signingIn = await post('v2/accounts/passkeySignIn:start', {});
      const adding = await post('v2/accounts/passkeyEnrollment:start', { idToken });
      assert.deepEqual([signingIn.status, adding.status], [200, 200], JSON.stringify(adding.reply));
      const sessions = [signingIn.reply.sessionInfo, adding.reply.sessionInfo, idToken, 'e30.e30.', ''];
      const { challenge } = adding.reply.credentialCreationOptions;
      const id = 'AAAAAAAAAAAAAAAAAAAAAA';
      for (const [type, operation, member] of [
        ['webauthn.get', 'passkeySignIn:finalize', 'authenticatorAuthenticationResponse'],
        ['webauthn.create', 'passkeyEnrollment:finalize', 'authenticatorRegistrationResponse'],
      ]) {
        const said = JSON.stringify({ type, challenge, origin: 'http://localhost:4711', crossOrigin: false });
        const clientDataJSON = Buffer.from(said).toString('base64url');
        const response = { clientDataJSON, authenticatorData: id, attestationObject: id, signature: id };
        const answer = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
        for (const sessionInfo of sessions) {
          const body = { idToken, sessionInfo, [member]: answer };
          const { status, reply } = await post(`v2/accounts/${operation}`, body);
          assert.equal(status, 400, JSON.stringify(reply));
          assert.equal(reply.refreshToken, undefined);
        }
      }
      const { reply } = await post('v1/accounts:lookup', { idToken });
      assert.equal(reply.users[0].passkeyInfo, undefined);
    } finally {
      await server.stop();
      await rm(cwd, { recursive: true, force: true });
    }
  });

  async function takenBack(world, email, early) {
    await world.accounts('sendOobCode', { requestType: 'EMAIL_SIGNIN', email });
    const oobCode = (await linkTo(world, email)).searchParams.get('oobCode');
    const { status, reply: owner } = await world.accounts('signInWithEmailLink', { email, oobCode });
    assert.equal(status, 200, JSON.stringify(owner));
    assert.equal(owner.localId, early.uid);
    const own = `users/${owner.localId}/notes/private`;
    await world.put({ [own]: { text: 'mine' } }, { token: owner.idToken });
    assert.equal((await world.get(own, early)).status, 401);
    const refreshed = await world.ask('POST', '/securetoken.googleapis.com/v1/token?key=any', {
      body: { grant_type: 'refresh_token', refresh_token: early.refresh },
    });
    assert.equal(refreshed.status, 400);
    await assert.rejects(world.signIn({ ...early }), /INVALID_LOGIN_CREDENTIALS/);
    assert.equal((await world.get(own, { token: owner.idToken })).status, 200);
  }

  attack('a place in others’ lists', 'nobody puts a document where others look', async () => {
    const { bob, eve, ann, vic } = world.people;
    const invited = { memberIds: [vic.uid], email: vic.email, deckName: 'Your bank' };
    const forged = encodeFields({ ...ownedBy(bob, 'Your bank'), ...invited });
    for (const [person, path] of [
      [bob, 'projects/z'],
      [bob, 'projects/d'],
      [bob, 'projects/d/projects/z'],
      [bob, `users/${bob.uid}/decks/z`],
      [bob, `users/${bob.uid}/invitations/i`],
      [bob, `users/${bob.uid}/x/y/invitations/i`],
      [bob, `users/${bob.uid}/decks/z/invitations/i`],
      [ann, 'projects/d/invitations/i'],
      [eve, 'projects/d/components/c/projects/z'],
      [eve, 'projects/d/components/c/invitations/i'],
    ]) {
      const writes = [{ update: { name: `${ROOT}/${path}`, fields: forged } }];
      const { status } = await world.ask('POST', `/v1/${ROOT}:commit`, {
        token: person.token,
        body: { writes },
      });
      assert.equal(status, 403, path);
    }
  });
}
