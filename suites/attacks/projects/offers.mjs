// Attacks on handing a project over: offers by others, forged ones, answers of others, and answers after the end.
import assert from 'node:assert/strict';
import { refused } from '../documents.mjs';
import { encodeFields, ownedBy, ROOT } from '../world.mjs';

export function offerAttacks(world, attack) {
  attack(
    'a project that is offered',
    'by a stranger, an editor, a forged offer and a second answer',
    async () => {
      const { eve, vic } = world.people;
      const owner = await world.signUp('una', 'una@example.com');
      const [projectId, at] = ['of-una', 'projects/of-una'];
      await world.put({ [at]: ownedBy(owner, 'Foxes') }, owner);
      const invited = await world.call(
        'inviteToDeck',
        { ownerId: owner.uid, deckId: projectId, role: 'editor', days: 7 },
        owner.token,
      );
      const { invitation } = invited.reply.result;
      const joined = await world.call('acceptInvitation', { deckId: projectId, invitation }, eve.token);
      assert.equal(joined.status, 200, JSON.stringify(joined.reply));
      const fails = async (name, data, { token }) => {
        const { status, reply } = await world.call(name, data, token);
        assert.ok(status >= 400 && status < 500, `${name}: ${status} ${JSON.stringify(reply)}`);
      };
      const commit = (write, { token }) =>
        world.ask('POST', `/v1/${ROOT}:commit`, { token, body: { writes: [write] } });
      const forged = (to) => ({
        update: {
          name: `${ROOT}/offers/${projectId}`,
          fields: encodeFields({ from: owner.uid, fromName: 'Una', to, toName: 'x', projectName: 'Foxes' }),
        },
      });
      for (const person of [eve, vic, owner]) {
        refused(await commit(forged(person.uid), person), 'a forged offer');
        await fails('answerProjectOffer', { projectId, accept: true }, person);
      }
      for (const person of [eve, vic]) {
        await fails('offerProject', { projectId, uid: person.uid }, person);
        await fails('withdrawProjectOffer', { projectId }, person);
      }
      await fails('offerProject', { projectId, uid: vic.uid }, owner);
      const offered = await world.call('offerProject', { projectId, uid: eve.uid }, owner.token);
      assert.equal(offered.status, 200, JSON.stringify(offered.reply));
      refused(await world.get(`offers/${projectId}`, vic), 'an offer of others');
      refused(await commit(forged(vic.uid), owner), 'an offer turned to somebody else');
      refused(await commit({ delete: `${ROOT}/offers/${projectId}` }, eve), 'its deletion');
      await fails('answerProjectOffer', { projectId, accept: true }, vic);
      await fails('withdrawProjectOffer', { projectId }, eve);
      const accepted = await world.call('answerProjectOffer', { projectId, accept: true }, eve.token);
      assert.equal(accepted.status, 200, JSON.stringify(accepted.reply));
      await fails('answerProjectOffer', { projectId, accept: true }, eve);
      await fails('offerProject', { projectId, uid: eve.uid }, owner);
      await fails('changeMember', { deckId: projectId, uid: eve.uid }, owner);
      refused(await commit({ delete: `${ROOT}/${at}` }, owner), 'its deletion by the former owner');
    },
  );
}
