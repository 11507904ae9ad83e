// Other people's documents, playtest hands and drafts, over REST: by guess, query, collection group and transaction.
import assert from 'node:assert/strict';
import { groups, guesses, queries, transactions } from './rest-requests.mjs';
import { encodeFields, ownedBy, ROOT, SECRET } from './world.mjs';

/** Accounts that each attacker may not read, as parts of the paths. */
const ATTACKERS = {
  'a stranger with an account': ['bob', () => true],
  'a guest in another seat': ['gus', (path) => !path.startsWith('playtests/') || path.includes('/hands/red')],
  'the owner of the playtest': ['ann', (path) => path.includes('/hands/')],
  'a playtester of the project': [
    'pat',
    (path) => /\/(components|notes|layouts|images|userData|hands)\//.test(path),
  ],
  'nobody at all': [undefined, () => true],
};

/** A refusal that tells nothing: not what is there, and not whether anything is. */
export function refused({ status, text }, what) {
  assert.ok(!text.includes(SECRET), `${what} leaked: ${text}`);
  assert.ok(text.includes('PERMISSION_DENIED') || /"code": ?7\b/.test(text), `${what}: ${status} ${text}`);
  assert.ok(status === 403 || status === 200, `${what}: ${status}`);
  assert.ok(!/updateTime|"count"|readTime/.test(text), `${what} told something: ${text}`);
}

async function refusedBy(world, person, requests) {
  for (const { method, path, body } of requests) {
    const what = `${person?.name ?? 'nobody'}: ${method} ${path} ${body ? JSON.stringify(body) : ''}`;
    refused(await world.ask(method, path, { token: person?.token, body }), what);
  }
}

export function documentAttacks(world, attack) {
  for (const [who, [name, mayNot]] of Object.entries(ATTACKERS)) {
    const person = world.people[name];
    const paths = Object.keys(world.secrets).filter(mayNot);
    const each = (phrase, ways) =>
      attack(phrase, who, async () => {
        assert.ok(paths.length > 0);
        for (const path of paths) await refusedBy(world, person, await ways(path));
      });
    each('guess', guesses);
    each('query', queries);
    each('collection group', groups);
    each('transaction', async (path) => {
      const { text } = await world.ask('POST', `/v1/${ROOT}:beginTransaction`, {
        token: person?.token,
        body: {},
      });
      return transactions(path, JSON.parse(text).transaction, `users/${person?.uid ?? 'x'}/a/b`);
    });
  }

  attack('guess', 'what is there and what is not are refused alike', async () => {
    const { bob, ann } = world.people;
    const [there, gone] = [
      `users/${ann.uid}/library/layouts/items/draft`,
      `users/${ann.uid}/library/layouts/items/nothing`,
    ];
    for (const ways of [guesses, queries, (path) => transactions(path, undefined, `users/${bob.uid}/a/b`)]) {
      const [of, at] = [ways(there), ways(gone)];
      for (const [index, { method, path, body }] of of.entries()) {
        const found = await world.ask(method, path, { token: bob.token, body });
        const missed = await world.ask(method, at[index].path, { token: bob.token, body: at[index].body });
        assert.deepEqual([found.status, found.text], [missed.status, missed.text], `${method} ${path}`);
      }
    }
  });

  attack('guess', 'those who may are let in, so that the refusals mean something', async () => {
    const { ann, eve, vic, pat, hal } = world.people;
    const deck = 'projects/d';
    const allowed = [
      [ann, `${deck}/components/c/cards/1`],
      [ann, `users/${ann.uid}/library/layouts/items/draft`],
      [eve, `${deck}/components/c/cards/1`],
      [vic, `${deck}/notes/main`],
      [vic, `${deck}/layouts/l`],
      [eve, `${deck}/layouts/l/versions/v`],
      [pat, deck],
      [hal, 'playtests/s/hands/red/cards/1'],
      [ann, 'playtests/s/table/t'],
    ];
    for (const [person, path] of allowed) {
      const { status, text } = await world.get(path, person);
      assert.equal(status, 200, `${person.name} ${path} ${text}`);
      assert.ok(text.includes(SECRET));
    }
  });

  attack('query', 'an editor may not make themselves an owner, nor a guest change seats', async () => {
    const { ann, eve, gus } = world.people;
    const update = (path, fields, mask) => ({
      writes: [{ update: { name: `${ROOT}/${path}`, fields }, updateMask: { fieldPaths: [mask] } }],
    });
    const owner = { mapValue: { fields: { [eve.uid]: { stringValue: 'owner' } } } };
    const seats = { mapValue: { fields: { red: { stringValue: gus.uid } } } };
    for (const [person, body] of [
      [eve, update('projects/d', { members: owner }, 'members')],
      [eve, update('projects/d', { owner: { stringValue: eve.uid } }, 'owner')],
      // Not even whose project it is: who is a member is asked, and counted, by the server.
      [ann, update('projects/d', { members: owner }, 'members')],
      [ann, update('projects/more', { members: owner }, 'members')],
      [gus, update('playtests/s', { seats }, 'seats')],
      [gus, update('playtests/s/hands/red', {}, 'count')],
    ]) {
      refused(await world.ask('POST', `/v1/${ROOT}:commit`, { token: person.token, body }), person.name);
    }
  });

  attack('guess', 'an id of somebody else’s project, and of a deleted one', async () => {
    const { ann, bob, eve, hand } = world.people;
    const make = (person, id, fields = ownedBy(person, 'Mine')) =>
      world.ask('POST', `/v1/${ROOT}:commit`, {
        token: person.token,
        body: { writes: [{ update: { name: `${ROOT}/projects/${id}`, fields: encodeFields(fields) } }] },
      });
    refused(await make(bob, 'd'), 'a project in the place of hers');
    refused(await make(bob, 'theirs', ownedBy(ann, 'Hers', { [bob.uid]: 'owner' })), 'a project in her name');
    refused(
      await make(bob, 'theirs', ownedBy(bob, 'His', { [eve.uid]: 'viewer' })),
      'a member without her word',
    );
    // Nothing is left of a deleted project for whoever takes its id next.
    const max = await world.signUp('max2', 'max2@example.com');
    const card = 'projects/gone/components/c/cards/1';
    const invited = ownedBy(max, SECRET, { [eve.uid]: 'editor' });
    await world.put({ 'projects/gone': invited, [card]: { title: SECRET } }, hand);
    const layout = 'projects/gone/layouts/l';
    await world.put({ [layout]: { name: SECRET } }, max);
    assert.equal((await world.get(layout, eve)).status, 200);
    const deletion = { writes: [{ delete: `${ROOT}/projects/gone` }] };
    for (const person of [eve, max, bob])
      refused(
        await world.ask('POST', `/v1/${ROOT}:commit`, { token: person.token, body: deletion }),
        'a deletion that leaves the cards',
      );
    assert.equal((await world.call('deleteDeck', { deckId: 'gone' }, eve.token)).status, 403);
    assert.deepEqual((await world.call('deleteDeck', { deckId: 'gone' }, bob.token)).reply.result, {
      deleted: 0,
    });
    assert.deepEqual((await world.call('deleteDeck', { deckId: 'gone' }, max.token)).reply.result, {
      deleted: 3,
    });
    assert.equal((await make(bob, 'gone')).status, 200);
    for (const path of [card, layout]) {
      const found = await world.get(path, bob);
      assert.equal(found.status, 404, found.text);
    }
  });

  attack('transaction', 'of the time before one was let in', async () => {
    const { bob, hand } = world.people;
    const lou = await world.signUp('lou', 'lou@example.com');
    const deck = 'projects/before';
    const card = `${deck}/components/c/cards/1`;
    await world.put({ [deck]: ownedBy(lou, SECRET), [card]: { title: SECRET } }, lou);
    const there = JSON.parse((await world.get(card, lou)).text);
    const joined = ownedBy(lou, 'Open', { [bob.uid]: 'viewer' });
    await world.put({ [deck]: joined, [card]: { title: 'Open' } }, hand);
    const readOnly = { readTime: there.updateTime };
    const ask = (verb, body, person) =>
      world.ask('POST', `/v1/${ROOT}${verb}`, { token: person.token, body });
    const inTransaction = async (person) => {
      const { text } = await ask(':beginTransaction', { options: { readOnly } }, person);
      const { transaction } = JSON.parse(text);
      const structuredQuery = { from: [{ collectionId: 'cards' }] };
      return [
        await ask(':batchGet', { documents: [`${ROOT}/${card}`], transaction }, person),
        await ask(':batchGet', { documents: [`${ROOT}/${card}`], newTransaction: { readOnly } }, person),
        await ask(`/${deck}/components/c:runQuery`, { structuredQuery, transaction }, person),
      ];
    };
    for (const reply of await inTransaction(bob)) refused(reply, 'a transaction of the past');
    for (const { text } of await inTransaction(lou)) assert.ok(text.includes(SECRET), text);
    assert.equal((await world.get(card, bob)).status, 200);
  });
}
