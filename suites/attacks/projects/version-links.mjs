// Attacks by public links of versions: who makes and withdraws them, whose they may say they are, and what they open.
import assert from 'node:assert/strict';
import { encodeFields, ownedBy, ROOT, SECRET } from '../world.mjs';

const LINK = 'versionversionversionver';

export function versionLinkAttacks(world, attack) {
  const commit = (writes, token) => world.ask('POST', `/v1/${ROOT}:commit`, { token, body: { writes } });
  const made = ({ uid }, project, version) => ({
    update: {
      name: `${ROOT}/shares/${LINK}`,
      fields: encodeFields({
        ...{ kind: 'version', projectId: project, of: version, title: 'Tides', number: 1, name: 'v1' },
        ...{ by: uid, file: '/v0/b/b/o/f', folder: '', before: null },
      }),
    },
    updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }],
  });
  const noted = (project, version, fields) => ({
    update: { name: `${ROOT}/projects/${project}/gameVersions/${version}`, fields: encodeFields(fields) },
    updateMask: { fieldPaths: Object.keys(fields) },
    currentDocument: { exists: true },
  });
  const removed = { delete: `${ROOT}/shares/${LINK}` };

  attack(
    'versions of others’ games',
    'links of them, made, looked for, passed off and withdrawn by others',
    async () => {
      const { eve, bob, vic } = world.people;
      const zoe = await world.signUp('zoe', 'zoe@example.com');
      const game = 'linked-of-zoe';
      await world.put({ [`projects/${game}`]: ownedBy(zoe, SECRET) }, zoe);
      const frozen = await world.call('freezeVersion', { projectId: game, name: 'v1' }, zoe.token);
      assert.equal(frozen.status, 200, JSON.stringify(frozen.reply));
      const { version } = frozen.reply.result;

      for (const other of [eve, bob, vic]) {
        for (const write of [made(other, game, version), noted(game, version, { link: LINK })])
          assert.equal((await commit([write], other.token)).status, 403, other.name);
      }
      // Not in the name of somebody else, and not without an account.
      assert.equal((await commit([made(eve, game, version)], zoe.token)).status, 403);
      assert.equal((await commit([made(zoe, game, version)])).status, 403);
      const own = await commit([made(zoe, game, version), noted(game, version, { link: LINK })], zoe.token);
      assert.equal(own.status, 200, own.text);

      // Whoever has it reads where its files lie, and nothing else of the project opens by it.
      assert.equal((await world.get(`shares/${LINK}`)).status, 200);
      for (const path of [
        `projects/${game}`,
        `projects/${game}/gameVersions/${version}`,
        `projects/${game}~${version}`,
      ]) {
        const { status, text } = await world.get(path);
        assert.equal(status, 403, path);
        assert.ok(!text.includes(SECRET));
      }
      for (const [name, more] of [
        ['openVersion', { version }],
        ['compareVersions', { from: version, to: 'now' }],
      ]) {
        const asked = { projectId: game, ...more };
        assert.equal((await world.call(name, asked)).status, 401, name);
        assert.equal((await world.call(name, asked, bob.token)).status, 404, name);
      }
      const query = { structuredQuery: { from: [{ collectionId: 'shares' }] } };
      const listed = await world.ask('POST', `/v1/${ROOT}:runQuery`, { token: bob.token, body: query });
      assert.notEqual(listed.status, 200, 'links are not searched for');

      for (const other of [eve, bob, vic])
        assert.equal((await commit([removed], other.token)).status, 403, other.name);
      // A version of one's own that names another's link does not take it along when it is deleted.
      const mine = 'linked-of-eve';
      await world.put({ [`projects/${mine}`]: ownedBy(eve, 'Mine') }, eve);
      const hers = await world.call('freezeVersion', { projectId: mine, name: 'v1' }, eve.token);
      const { version: theirs } = hers.reply.result;
      assert.equal((await commit([noted(mine, theirs, { link: LINK })], eve.token)).status, 200);
      const gone = await world.call('deleteVersion', { projectId: mine, version: theirs }, eve.token);
      assert.equal(gone.status, 200, JSON.stringify(gone.reply));
      assert.equal((await world.get(`shares/${LINK}`)).status, 200);

      // With its own version it goes.
      assert.equal((await world.call('deleteVersion', { projectId: game, version }, zoe.token)).status, 200);
      assert.equal((await world.get(`shares/${LINK}`)).status, 404);
    },
  );
}
