// Sample tables, which anybody opens without an account.
import assert from 'node:assert/strict';
import { signedIn } from './playtests.mjs';
import { PROJECT } from './world.mjs';

/** Comes to a sample table as a visitor. */
async function visitor(world, table) {
  const { status, reply } = await world.call('joinSampleTable', { table });
  assert.equal(status, 200, JSON.stringify(reply));
  return signedIn(world, reply.result.token);
}

export function sampleAttacks(world, attack) {
  attack('a sample table', 'a crafted box, more than three, lists, admin acts, another’s table', async () => {
    for (const crafted of [
      { box: { backs: [], definitions: [] } },
      { seats: [] },
      { ends: 9e15 },
      { n: 1 },
    ]) {
      assert.equal((await world.call('openSampleTable', crafted)).status, 400, JSON.stringify(crafted));
    }
    const opened = [];
    for (let nth = 0; nth < 3; nth++)
      opened.push((await world.call('openSampleTable', {})).reply.result.table);
    // One more is refused to whoever asks: a visitor, an account, a guest, and who names another address.
    const { ann } = world.people;
    const red = await visitor(world, opened[0]);
    for (const token of [undefined, ann.token, red.token]) {
      assert.equal((await world.call('openSampleTable', {}, token)).status, 429);
    }
    const forged = await world.ask('POST', `/us-central1-${PROJECT}/openSampleTable`, {
      body: { data: {} },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    assert.equal(forged.status, 429);
    // Nobody says who comes, its host no more than others; and who is not its host does nothing of a host's.
    const blue = await visitor(world, opened[0]);
    const [table] = opened;
    for (const { token, uid } of [red, blue]) {
      for (const change of [
        { newCode: true },
        { lock: true },
        { ask: true },
        { kick: uid },
        { kick: red.uid },
      ]) {
        const { status } = await world.call('changeTableAdmission', { table, change }, token);
        assert.equal(status, 403, JSON.stringify(change));
      }
      const { messages: view } = (await world.call('tableView', { table }, token)).reply.result;
      const isHost = JSON.stringify(view).includes('"seats":[0]');
      assert.equal(isHost, token === red.token);
      for (const act of isHost
        ? [{ verb: 'claim', as: 1, name: 'Mine' }]
        : [
            { verb: 'end' },
            { verb: 'restore', to: 'setup' },
            { verb: 'edit', edit: { setup: { button: null } } },
            { verb: 'spawn', what: { pieces: { definition: 0, count: 1 } }, to: { surface: 0, x: 0, y: 0 } },
            { verb: 'claim', as: 0, name: 'Mine' },
          ]) {
        const { reply } = await world.call('actAtTable', { table, act }, token);
        const messages = reply.result.messages;
        const done = messages.some(({ ack }) => ack !== undefined);
        assert.ok(!done, JSON.stringify([act, messages]));
      }
    }
    // Nothing that belongs to projects' tables knows it, and no visitor comes to a table without its address.
    const box = { backs: [], definitions: [] };
    for (const [name, data] of [
      ['sendFeedback', { table, rev: 0, answers: [] }],
      ['feedbackForm', { table }],
      ['publishReplay', { table, hands: true }],
      ['forkTable', { table, n: 0 }],
      ['updateTable', { table, box }],
      ['deleteTable', { table }],
    ]) {
      for (const { token } of [red, ann]) {
        const { status } = await world.call(name, data, token);
        assert.ok(status === 403 || status === 404, `${name}: ${status}`);
      }
    }
    for (const name of ['tableView', 'actAtTable']) {
      const other = { table: opened[1], ...(name === 'actAtTable' && { act: { verb: 'leave' } }) };
      assert.equal((await world.call(name, other, red.token)).status, 404, name);
      assert.equal((await world.call(name, other)).status, 401, name);
    }
    assert.equal((await world.call('joinSampleTable', { table: 'd' })).status, 404);
  });
}
