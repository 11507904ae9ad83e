// Moves and removals by people who may look at one side, or at neither: nothing leaves a place, and nothing comes to one.
import assert from 'node:assert/strict';
import { ownedBy, SECRET } from '../world.mjs';

export function moveAttacks(world, attack) {
  attack(
    'a move out of a project',
    'by members who may not change it, into a project that is not theirs, and by forged places',
    async () => {
      const { ann, bob, eve, vic, pat } = world.people;
      const mine = (who) => `moves-${who.uid}`;
      for (const who of [bob, eve, vic, pat]) {
        await world.put({ [`projects/${mine(who)}`]: ownedBy(who, 'Moves') }, who);
        await world.put({ [`projects/${mine(who)}/layouts/own`]: { name: 'Own' } }, who);
      }
      const scene = { zones: [] };
      await world.put({ 'projects/d/layouts/free': { name: SECRET, version: 1, scene } }, ann);
      const d = { project: 'd' };
      const asked = [];
      for (const who of [bob, vic, pat, undefined]) {
        const own = { project: who ? mine(who) : 'x' };
        // Vic may read what lies there, and take copies; she may not take it away.
        for (const to of [own, {}])
          asked.push([who, d, to, ['free'], true], [who, d, to, ['l', 'free'], true]);
        asked.push([who, own, d, ['own'], true], [who, own, d, ['own'], false]);
        asked.push([who, { project: `${own.project}/../d` }, own, ['free'], true]);
        asked.push(
          [who, { owner: ann.uid }, own, ['draft'], true],
          [who, d, { owner: ann.uid }, ['free'], true],
        );
      }
      asked.push(
        [eve, d, { project: mine(bob) }, ['free'], true],
        [eve, d, { owner: ann.uid }, ['free'], true],
      );
      for (const [who, from, to, ids, move] of asked) {
        const request = { kind: 'layouts', from, to, ids, move };
        const { status, reply } = await world.call('copyAssets', request, who?.token);
        const what = `${who?.name} ${JSON.stringify(request)}: ${status} ${JSON.stringify(reply)}`;
        assert.ok([400, 401, 403, 404].includes(status), what);
        assert.ok(!JSON.stringify(reply).includes(SECRET), what);
      }
      for (const who of [bob, vic, pat, undefined]) {
        for (const place of [d, { owner: ann.uid }, { project: 'd/layouts/free/..' }]) {
          const request = { ...place, layouts: ['free', 'draft'], images: ['i'] };
          const { status, reply } = await world.call('removeUnused', request, who?.token);
          // Members who see the project may be told what shows a thing; it goes for none of them.
          const what = `${who?.name} ${JSON.stringify(request)}: ${status} ${JSON.stringify(reply)}`;
          assert.ok([400, 401, 403].includes(status), what);
        }
      }
      for (const path of ['projects/d/layouts/free', 'projects/d/layouts/l', 'projects/d/images/i'])
        assert.equal((await world.get(path, ann)).status, 200, path);
      assert.equal((await world.get(`projects/${mine(vic)}/layouts/own`, vic)).status, 200);
      // Eve edits both, so that the refusals mean something.
      const request = { kind: 'layouts', from: d, to: { project: mine(eve) }, ids: ['free'], move: true };
      const { status, reply } = await world.call('copyAssets', request, eve.token);
      assert.equal(status, 200, JSON.stringify(reply));
      assert.equal((await world.get('projects/d/layouts/free', ann)).status, 404);
      assert.equal((await world.get(`projects/${mine(eve)}/layouts/free`, eve)).status, 200);
    },
  );
}
