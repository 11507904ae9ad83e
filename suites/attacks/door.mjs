// Being somebody, or somewhere, before those whom it is meant for.
import assert from 'node:assert/strict';
import { linkTo } from './mail.mjs';
import { encodeFields, ROOT } from './world.mjs';

export function doorAttacks(world, attack) {
  attack(
    'an account for a stranger’s address',
    'what was set before its owner came opens nothing afterwards',
    async () => {
      const email = 'target@example.com';
      const early = await world.signUp('early', email);
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
    },
  );

  attack('a place in others’ lists', 'nobody puts a document where others look', async () => {
    const { bob, eve, ann, vic } = world.people;
    const forged = encodeFields({ memberIds: [vic.uid], email: vic.email, deckName: 'Your bank' });
    for (const [person, path] of [
      [bob, `users/${bob.uid}/x/y/decks/z`],
      [bob, `users/${bob.uid}/x/y/z/w/decks/v`],
      [bob, `users/${bob.uid}/x/y/z/w/v/u/decks/t`],
      [bob, `users/${bob.uid}/decks/z`],
      [bob, `users/${bob.uid}/invitations/i`],
      [bob, `users/${bob.uid}/x/y/invitations/i`],
      [bob, `users/${bob.uid}/decks/z/invitations/i`],
      [ann, `users/${ann.uid}/decks/d/invitations/i`],
      [eve, `users/${ann.uid}/decks/d/components/c/decks/z`],
      [eve, `users/${ann.uid}/decks/d/components/c/invitations/i`],
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
