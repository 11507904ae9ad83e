// Attacks by a project's members: layouts outside the project, coming back after removal, another member's name.
import assert from 'node:assert/strict';
import { refused } from '../documents.mjs';
import { encodeFields, ownedBy, ROOT, SECRET } from '../world.mjs';

/** A project of somebody new with a layout, another project of theirs with one, and one in their library. */
async function project(world, name) {
  const owner = await world.signUp(name, `${name}@example.com`);
  const home = `users/${owner.uid}`;
  const id = `of-${name}`;
  const at = `projects/${id}`;
  await world.put(
    {
      [at]: ownedBy(owner, 'Foxes'),
      [`${at}/components/c`]: { name: 'Cards', layoutId: 'used' },
      [`${at}/layouts/used`]: { name: 'Used' },
      [`${at}-2`]: ownedBy(owner, SECRET),
      [`${at}-2/layouts/other`]: { name: SECRET },
      [`${home}/library/layouts/items/draft`]: { name: SECRET },
    },
    owner,
  );
  const deck = { ownerId: owner.uid, deckId: id };
  const link = async (role) => {
    const { status, reply } = await world.call('inviteToDeck', { ...deck, role, days: 7 }, owner.token);
    assert.equal(status, 200, JSON.stringify(reply));
    return reply.result.invitation;
  };
  const accept = (person, invitation) =>
    world.call('acceptInvitation', { ...deck, invitation }, person.token);
  return { owner, home, at, deck, link, accept };
}

export function memberAttacks(world, attack) {
  attack('a layout named in a component', 'by an editor who accepts the invitation again', async () => {
    const { eve, vic } = world.people;
    const { owner, home, at, link, accept } = await project(world, 'lea');
    const invitation = await link('editor');
    assert.equal((await accept(eve, invitation)).status, 200);
    assert.equal((await world.get(`${at}/layouts/used`, eve)).status, 200);
    for (const layoutId of ['draft', 'other']) {
      await world.put({ [`${at}/components/c`]: { name: 'Cards', layoutId } }, eve);
      for (const person of [eve, vic]) {
        assert.equal((await accept(person, invitation)).status, 200);
        for (const path of [`${home}/library/layouts/items/draft`, `${at}-2/layouts/other`]) {
          refused(await world.get(path, eve), 'a private layout');
          const writes = [{ update: { name: `${ROOT}/${path}`, fields: encodeFields({ name: 'x' }) } }];
          const body = { writes };
          refused(await world.ask('POST', `/v1/${ROOT}:commit`, { token: eve.token, body }), 'its change');
        }
        const asked = { kind: 'layout', id: layoutId, owner: owner.uid };
        const { status, reply } = await world.call('whereIs', asked, eve.token);
        assert.equal(status, 404, JSON.stringify(reply));
      }
    }
  });

  attack('a removed member', 'by every link that there is', async () => {
    const { eve } = world.people;
    const { owner, at, deck, link, accept } = await project(world, 'max');
    const [first, other] = [await link('editor'), await link('viewer')];
    assert.equal((await accept(eve, first)).status, 200);
    const box = { backs: [], definitions: [] };
    const opened = { projectId: deck.deckId, name: 'Friday', box, seats: [{ name: 'Red' }] };
    const { table } = (await world.call('openTable', opened, eve.token)).reply.result;
    assert.equal((await world.get(`playtests/${table}`, eve)).status, 200);
    assert.equal((await world.call('changeMember', { ...deck, uid: eve.uid }, owner.token)).status, 200);
    for (const invitation of [first, other, await link('owner')]) {
      const { status, reply } = await accept(eve, invitation);
      assert.deepEqual([status, reply.error?.status], [403, 'PERMISSION_DENIED'], JSON.stringify(reply));
    }
    refused(await world.get(at, eve), 'the project');
    refused(await world.get(`playtests/${table}`, eve), 'a table at which they sat');
    const writes = [{ delete: `${ROOT}/${at}/removed/x` }, { delete: `${ROOT}/${at}` }];
    refused(
      await world.ask('POST', `/v1/${ROOT}:commit`, { token: eve.token, body: { writes } }),
      'its deletion',
    );
  });

  attack('a forged name', 'in comments and in a table, and far too much of it', async () => {
    const { eve } = world.people;
    const { at, link, accept } = await project(world, 'ned');
    assert.equal((await accept(eve, await link('editor'))).status, 200);
    const commit = (path, fields) => {
      const writes = [{ update: { name: `${ROOT}/${at}/${path}`, fields: encodeFields(fields) } }];
      return world.ask('POST', `/v1/${ROOT}:commit`, { token: eve.token, body: { writes } });
    };
    const comment = { authorId: eve.uid, authorName: eve.email, component: 'c', card: '1', text: 'fine' };
    assert.equal((await commit('comments/a', comment)).status, 200);
    const place = { uid: eve.uid, name: eve.email };
    assert.equal((await commit('components/c/presence/a', place)).status, 200);
    assert.equal((await commit('layouts/l/presence/a', { ...place, zones: ['z'], x: 1 })).status, 200);
    for (const [path, fields] of [
      ['comments/b', { ...comment, authorName: 'ned@example.com' }],
      ['comments/b', { ...comment, text: 'x'.repeat(900_000) }],
      ['comments/b', { ...comment, more: 'x'.repeat(900_000) }],
      ['components/c/presence/b', { ...place, name: 'ned@example.com' }],
      ['components/c/presence/b', { ...place, uid: 'somebody' }],
      ['components/c/presence/b', { ...place, more: 'x'.repeat(900_000) }],
      ['layouts/l/presence/b', { ...place, name: 'ned@example.com' }],
      ['layouts/l/presence/b', { ...place, zones: ['x'.repeat(900_000)] }],
      ['components/c', { name: 5 }],
      ['components/c', { name: 'x'.repeat(900_000) }],
      ['components/c/cards/1', { cells: 5 }],
      ['notes/main', { text: 'x'.repeat(900_000) }],
      ['images/p', { path: 'x'.repeat(900_000), file: `${at}/images/x`, url: '/x' }],
      ['pictures/p', { path: 'x.png' }],
      ['printRuns/r', { number: 'first' }],
    ]) {
      refused(await commit(path, fields), path);
    }
  });

  attack(
    'a shape that nobody can read',
    'heads of rulebooks, numbers that are none, colours that are CSS',
    async () => {
      const { eve } = world.people;
      const { at, link, accept } = await project(world, 'kit');
      assert.equal((await accept(eve, await link('editor'))).status, 200);
      const commit = (...updates) => {
        const writes = updates.map(([path, fields, updateMask]) => ({
          update: { name: `${ROOT}/${at}${path}`, fields: encodeFields(fields) },
          ...(updateMask && { updateMask }),
          ...(path.startsWith('/rulebooks/b/') && {
            updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }],
          }),
        }));
        return world.ask('POST', `/v1/${ROOT}:commit`, { token: eve.token, body: { writes } });
      };
      const head = (number) => ['/rulebooks/b', { head: number }, { fieldPaths: ['head'] }];
      const step = (id) => [`/rulebooks/b/steps/${id}`, { client: 'w', by: eve.uid, s: '[]' }];
      const book = (fields) => ['/rulebooks/b', { title: 'Rules', ...fields }];
      for (const fields of [{}, { head: 1_001 }, { head: -1 }, { head: 0, order: Number.NaN }])
        refused(await commit(book(fields)), JSON.stringify(fields));
      assert.equal((await commit(book({ head: 0 }))).status, 200);
      refused(await commit(head(1)), 'a head without its step');
      refused(await commit(head(2), step('000000002')), 'a head that leaves one out');
      refused(await commit(step('000000001')), 'a step after the head');
      assert.equal((await commit(head(1), step('000000001'))).status, 200);
      const version = { name: '', by: eve.uid, hash: 'a', doc: '{}' };
      refused(await commit(['/rulebooks/b/versions/000000009', version]), 'a version that stands on no step');
      for (const colour of ['red', 'url(//evil.test/x.png)', '#123;background:red'])
        refused(await commit(['', { coverColor: colour }, { fieldPaths: ['coverColor'] }]), colour);
      assert.equal(
        (await commit(['', { coverColor: '#A8361c' }, { fieldPaths: ['coverColor'] }])).status,
        200,
      );
      const order = { name: 'C', order: Number.POSITIVE_INFINITY };
      refused(await commit(['/components/d', order]), 'a place that is no number');
    },
  );
}
