// Attacks by branches: a project says itself what it began as, which must open nothing of that project or of the branch.
import assert from 'node:assert/strict';
import { ownedBy, SECRET } from '../world.mjs';

export function branchAttacks(world, attack) {
  attack(
    'versions of others’ games',
    'a project that pretends to be a branch, and branches of others',
    async () => {
      const { eve } = world.people;
      const zoe = await world.signUp('zoe', 'zoe@example.com');
      const frozen = { projectId: 'of-zoe' };
      await world.put({ 'projects/of-zoe': ownedBy(zoe, SECRET) }, zoe);
      const { status, reply } = await world.call('freezeVersion', { ...frozen, name: 'v1' }, zoe.token);
      assert.equal(status, 200, JSON.stringify(reply));
      const { version } = reply.result;
      const from = { project: 'of-zoe', version };
      await world.put({ 'projects/of-eve': { ...ownedBy(eve, 'Mine'), from } }, eve);
      await world.put({ 'projects/branch-of-zoe': { ...ownedBy(zoe, SECRET), from } }, zoe);
      const compare = async (person, branch) => {
        const asked = { ...frozen, from: version, to: 'now', branch };
        const answer = await world.call('compareVersions', asked, person?.token);
        return [answer.status, JSON.stringify(answer.reply)];
      };
      for (const [person, branch, expected] of [
        [eve, 'of-eve', 404],
        [eve, 'branch-of-zoe', 404],
        [zoe, 'of-eve', 404],
        [zoe, 'of-zoe', 400],
        [undefined, 'branch-of-zoe', 401],
      ]) {
        const [status, said] = await compare(person, branch);
        assert.equal(status, expected, `${branch}: ${said}`);
        assert.ok(!said.includes(SECRET), `${branch} leaked: ${said}`);
      }
      const [own, said] = await compare(zoe, 'branch-of-zoe');
      assert.equal(own, 200, said);
    },
  );
}
