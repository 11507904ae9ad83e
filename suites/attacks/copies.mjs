// Files of others by documents that name them: knowing where a file lies, or what it holds, gives nobody its bytes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ownedBy, PROJECT, SECRET } from './world.mjs';

const BUCKET = `${PROJECT}.firebasestorage.app`;

/** An image whose document says that its file is `file`. */
const imageAt = (file) => ({
  path: 'fox.csv',
  file,
  url: `/v0/b/${BUCKET}/o/${encodeURIComponent(file)}?alt=media&token=x`,
  hash: createHash('sha256').update(SECRET).digest('hex'),
});

export function copyAttacks(world, attack) {
  attack('a file named in a document', 'copied by somebody who knows its place and its hash', async () => {
    const { ann, bob, pat } = world.people;
    const file = `users/${ann.uid}/images/secret.csv`;
    const upload = await world.ask('POST', `/v0/b/${BUCKET}/o?name=${encodeURIComponent(file)}`, {
      token: ann.token,
      body: SECRET,
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(upload.status, 200, upload.text);
    const project = `copies-${bob.uid}`;
    const kept = `users/${ann.uid}/images/kept`;
    await world.put({ [kept]: imageAt(file) }, ann);
    await world.put({ [`projects/${project}`]: ownedBy(bob, 'Copies') }, bob);
    // Two ways to say that it is his: a library of his own, and a name that begins like it.
    const own = `users/${bob.uid}/images`;
    const forged = { forged: file, climbing: `${own}/../../${ann.uid}/images/secret.csv` };
    for (const [id, named] of Object.entries(forged))
      await world.put({ [`${own}/${id}`]: imageAt(named) }, bob);
    const asked = [
      [bob, {}, { project }, ['forged']],
      [bob, {}, { project }, ['climbing']],
      [bob, { project: 'd' }, { project }, ['i']],
      [bob, { project: 'd' }, {}, ['i']],
      [pat, { project: 'd' }, {}, ['i']],
      [bob, {}, { project: 'd' }, ['forged']],
    ];
    for (const [who, from, to, ids] of asked) {
      const { status, reply } = await world.call('copyAssets', { kind: 'images', from, to, ids }, who.token);
      const what = `${who.name} ${JSON.stringify([from, to, ids])}: ${status} ${JSON.stringify(reply)}`;
      assert.ok([400, 403, 404].includes(status), what);
      assert.ok(!JSON.stringify(reply).includes(SECRET), what);
    }
    const { text } = await world.ask('GET', `/v0/b/${BUCKET}/o?prefix=projects%2F${project}%2F`, {
      token: bob.token,
    });
    assert.deepEqual(JSON.parse(text).items ?? [], [], text);
    // Ann may copy her own, so that the refusals mean something.
    const mine = `copies-${ann.uid}`;
    await world.put({ [`projects/${mine}`]: ownedBy(ann, 'Copies') }, ann);
    const request = { kind: 'images', from: {}, to: { project: mine }, ids: ['kept'] };
    const { status, reply } = await world.call('copyAssets', request, ann.token);
    assert.equal(status, 200, JSON.stringify(reply));
  });
}
