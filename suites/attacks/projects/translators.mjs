// Attacks by a translator: other languages than theirs, the cards themselves, and their own role.
import assert from 'node:assert/strict';
import { refused } from '../documents.mjs';
import { encodeFields, ownedBy, PROJECT, ROOT, SECRET } from '../world.mjs';

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

/** Writes by transforms, by dotted fields and in batches, and comments of others. */
async function batchesOf(world, { owner, at }) {
  const { eve } = world.people;
  const name = (path) => `${ROOT}/${at}${path}`;
  const post = (person, verb, writes) =>
    world.ask('POST', `/v1/${ROOT}:${verb}`, { token: person.token, body: { writes } });
  const update = (path, fields, ...paths) => ({
    update: { name: name(path), fields: encodeFields(fields) },
    ...(paths.length > 0 && { updateMask: { fieldPaths: paths } }),
  });
  const transform = (path, fieldPath, change) => ({
    transform: { document: name(path), fieldTransforms: [{ fieldPath, ...change }] },
  });
  const append = (value) => ({ appendMissingElements: { values: [{ stringValue: value }] } });
  const unit = { units: { 'c.c.1.title': { source: 'One', text: 'Eins' } } };
  const card = '/components/c/cards/1';
  const remark = { authorId: owner.uid, component: 'c', card: '1', text: 'By Tia.' };
  const set = await post(owner, 'commit', [
    update(card, { cells: { title: 'One' }, order: 1 }),
    update('/comments/of-tia', remark),
  ]);
  assert.equal(set.status, 200, set.text);
  for (const [what, ...writes] of [
    ['a number of a card', transform(card, 'order', { increment: { integerValue: '1' } })],
    ['a language more', transform('', `translates.\`${eve.uid}\``, append('fr'))],
    ['a member more', transform('', 'memberIds', append(world.people.bob.uid))],
    ['a cell by its path', update(card, { cells: { title: SECRET } }, 'cells.title')],
    ['all units at once', update('/languages/de/parts/0', {}, 'units')],
    ['a part of another name', update('/languages/de/parts/10', unit)],
    ['a document below a part', update('/languages/de/parts/0/more/1', unit)],
    ['a card behind a right text', update('/languages/de/parts/2', unit), { delete: name(card) }],
    ['a comment of another', update('/comments/of-tia', { text: SECRET }, 'text')],
    ['its end', { delete: name('/comments/of-tia') }],
    ['a comment as another', update('/comments/forged', { ...remark, text: SECRET })],
    [
      'a comment under another name',
      update('/comments/forged', { ...remark, authorId: eve.uid, authorName: 'Tia' }),
    ],
  ]) {
    refused(await post(eve, 'commit', writes), what);
  }
  // Of a batch that is not one commit, what is allowed is done alone.
  const mixed = await post(eve, 'batchWrite', [
    update('/languages/de/parts/3', unit),
    update('/languages/fr/parts/3', unit),
    update(card, { cells: { title: SECRET } }, 'cells.title'),
  ]);
  assert.deepEqual(
    JSON.parse(mixed.text).status.map(({ code = 0 }) => code),
    [0, 7, 7],
    mixed.text,
  );
  const { text } = await world.get(`${at}${card}`, owner);
  assert.ok(text.includes('"One"') && !text.includes(SECRET), text);
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
    await batchesOf(world, { owner, at });
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
