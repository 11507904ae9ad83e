// Attacks by a translator: other languages than theirs, the cards themselves, and their own role.
import assert from 'node:assert/strict';
import { refused } from './documents.mjs';
import { encodeFields, ownedBy, PROJECT, ROOT, SECRET } from './world.mjs';

/** A project of somebody new, in German and French, with a translator of German. */
async function project(world) {
  const { eve } = world.people;
  const owner = await world.signUp('tia', 'tia@example.com');
  const at = 'projects/of-tia';
  const begun = { by: owner.uid };
  await world.put({ [at]: ownedBy(owner, 'Foxes'), [`${at}/components/c`]: { name: 'Cards' } }, owner);
  const commit = (person, ...writes) =>
    world.ask('POST', `/v1/${ROOT}:commit`, { token: person.token, body: { writes } });
  const begins = (language) => ({
    update: { name: `${ROOT}/${at}/languages/${language}`, fields: encodeFields(begun) },
    updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }],
  });
  const sets = (path, fields) => ({
    update: { name: `${ROOT}/${at}${path}`, fields: encodeFields(fields) },
  });
  assert.equal((await commit(owner, begins('de'), begins('fr'))).status, 200);
  const deck = { ownerId: owner.uid, deckId: 'of-tia' };
  const call = (person, name, request) => world.call(name, { ...deck, ...request }, person.token);
  const invited = await call(owner, 'inviteToDeck', { role: 'translator', languages: ['de'], days: 7 });
  const { invitation } = invited.reply.result;
  assert.equal((await call(eve, 'acceptInvitation', { invitation })).status, 200);
  return { owner, at, deck, commit, sets, begins, call, invitation };
}

export function translatorAttacks(world, attack) {
  attack('a translator', 'of other languages, of the source, and of their own role', async () => {
    const { eve } = world.people;
    const { owner, at, deck, commit, sets, begins, call, invitation } = await project(world);
    const units = { units: { 'c.c.1.title': { source: 'One', text: 'Eins' } } };
    assert.equal((await commit(eve, sets('/languages/de/parts/0', units))).status, 200);
    for (const [what, ...writes] of [
      ['another language', sets('/languages/fr/parts/0', units)],
      ['a language of a longer tag', sets('/languages/de-at/parts/0', units)],
      ['both in one commit', sets('/languages/de/parts/1', units), sets('/languages/fr/parts/1', units)],
      ['a new language', begins('pl')],
      ['the end of a language', { delete: `${ROOT}/${at}/languages/de` }],
      ['a part of it', { delete: `${ROOT}/${at}/languages/de/parts/0` }],
      ['a cell', sets('/components/c/cards/1', { cells: { title: SECRET } })],
      ['an image', sets('/images/p', { path: 'p.png', file: `${at}/images/p.png`, url: '/p' })],
      ['a layout', sets('/layouts/l', { name: 'Mine' })],
      ['a version', sets('/gameVersions/v', { kind: 'named', name: 'v1' })],
      ['an invitation', sets('/invitations/i', { role: 'owner', email: eve.email })],
      ...['members', 'translates', 'owner'].map((field) => [
        `the field ${field}`,
        {
          ...sets('', { [field]: { [eve.uid]: field === 'members' ? 'owner' : ['de', 'fr'] } }),
          updateMask: { fieldPaths: [field] },
        },
      ]),
    ]) {
      refused(await commit(eve, ...writes), what);
    }
    const image = `/v0/b/${PROJECT}.firebasestorage.app/o?name=${encodeURIComponent(`${at}/images/p.png`)}`;
    const png = { token: eve.token, body: {}, headers: { 'content-type': 'image/png' } };
    const upload = await world.ask('POST', image, png);
    assert.equal(upload.status, 403, upload.text);
    for (const [name, request] of [
      ['inviteToDeck', { role: 'translator', languages: ['fr'], days: 7 }],
      ['changeMember', { uid: eve.uid, role: 'translator', languages: ['de', 'fr'] }],
      ['changeMember', { uid: eve.uid, role: 'editor' }],
    ]) {
      const { status, reply } = await call(eve, name, request);
      assert.deepEqual([status, reply.error?.status], [403, 'PERMISSION_DENIED'], JSON.stringify(reply));
    }
    const frozen = await world.call('freezeVersion', { projectId: deck.deckId, name: 'v1' }, eve.token);
    assert.equal(frozen.status, 403, JSON.stringify(frozen.reply));
    // A language that was taken away does not come back by the link that gave it.
    const changed = await call(owner, 'changeMember', {
      uid: eve.uid,
      role: 'translator',
      languages: ['fr'],
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.reply));
    await call(eve, 'acceptInvitation', { invitation });
    refused(await commit(eve, sets('/languages/de/parts/0', units)), 'a language that was taken away');
    assert.equal((await commit(eve, sets('/languages/fr/parts/0', units))).status, 200);
  });
}
