// Files of others by documents that name them: knowing where a file lies, or what it holds, gives nobody its bytes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ownedBy, PROJECT, SECRET } from '../world.mjs';

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
    const kept = `users/${ann.uid}/library/images/items/kept`;
    await world.put({ [kept]: imageAt(file) }, ann);
    await world.put({ [`projects/${project}`]: ownedBy(bob, 'Copies') }, bob);
    // Two ways to say that it is his: a library of his own, and a name that begins like it.
    const own = `users/${bob.uid}/images`;
    const hisLibrary = `users/${bob.uid}/library/images/items`;
    const forged = { forged: file, climbing: `${own}/../../${ann.uid}/images/secret.csv` };
    for (const [id, named] of Object.entries(forged))
      await world.put({ [`${hisLibrary}/${id}`]: imageAt(named) }, bob);
    const asked = [
      [bob, {}, { project }, ['forged']],
      [bob, {}, { project }, ['climbing']],
      [bob, { project: 'd' }, { project }, ['i']],
      [bob, { project: 'd' }, {}, ['i']],
      [pat, { project: 'd' }, {}, ['i']],
      [bob, {}, { project: 'd' }, ['forged']],
    ];
    for (const [who, from, to, ids] of asked) {
      for (const renew of [false, true]) {
        const request = { kind: 'images', from, to, ids, renew };
        const { status, reply } = await world.call('copyAssets', request, who.token);
        const what = `${who.name} ${JSON.stringify(request)}: ${status} ${JSON.stringify(reply)}`;
        assert.ok([400, 403, 404].includes(status), what);
        assert.ok(!JSON.stringify(reply).includes(SECRET), what);
      }
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
  attack(
    'images behind a layout',
    'named in a layout of one’s own, and in one that is not shared',
    async () => {
      const { ann, bob, pat } = world.people;
      const names = ['hidden.csv', 'image:hidden/hidden.csv', `users/${ann.uid}/library/images/items/hidden`];
      const layout = { name: 'Card', version: 1, scene: { zones: names.map((source) => ({ source })) } };
      const library = (who) => `users/${who.uid}/library/layouts/items`;
      const mine = `layouts-${bob.uid}`;
      const hidden = { ...imageAt(`users/${ann.uid}/images/hidden.csv`), path: 'hidden.csv', credit: SECRET };
      await world.put(
        { [`users/${ann.uid}/library/images/items/hidden`]: hidden, [`${library(ann)}/closed`]: layout },
        ann,
      );
      await world.put({ [`projects/${mine}`]: ownedBy(bob, 'Layouts') }, bob);
      await world.put({ [`projects/${mine}/layouts/closed`]: layout }, bob);
      await world.put({ [`${library(bob)}/closed`]: layout }, bob);
      const asked = [
        { owner: bob.uid, id: 'closed' },
        { owner: ann.uid, id: 'closed' },
        { project: mine, id: 'closed' },
        { project: mine, owner: ann.uid, id: 'closed' },
        { project: `${mine}/layouts/closed`, id: 'closed' },
        { owner: `${bob.uid}/../${ann.uid}`, id: 'closed' },
        { owner: ann.uid, id: `../../../../${bob.uid}/library/layouts/items/closed` },
        { project: 'd', id: 'closed' },
      ];
      for (const who of [bob, pat, undefined]) {
        for (const request of asked) {
          const { status, reply } = await world.call('layoutImages', request, who?.token);
          const what = `${who?.name} ${JSON.stringify(request)}: ${status} ${JSON.stringify(reply)}`;
          assert.ok(status !== 200 || reply.result.images.length === 0, what);
          assert.ok(!JSON.stringify(reply).includes(SECRET), what);
        }
      }
      // Once Ann shares it, Bob is told, so that the refusals mean something.
      await world.put({ [`${library(ann)}/closed`]: { ...layout, shared: true } }, ann);
      const { status, reply } = await world.call('layoutImages', { owner: ann.uid, id: 'closed' }, bob.token);
      assert.equal(status, 200, JSON.stringify(reply));
      assert.ok(JSON.stringify(reply).includes(SECRET));
    },
  );
  attack(
    'copies by a layout',
    'that is not shared, or does not name it, or names it without its token',
    async () => {
      const { ann, bob, pat } = world.people;
      const store = async (name, type) => {
        const file = `users/${ann.uid}/${name}`;
        const { status, text } = await world.ask(
          'POST',
          `/v0/b/${BUCKET}/o?name=${encodeURIComponent(file)}`,
          {
            token: ann.token,
            body: `${SECRET} ${name}`,
            headers: { 'content-type': type },
          },
        );
        assert.equal(status, 200, text);
        const address = `/v0/b/${BUCKET}/o/${encodeURIComponent(file)}?alt=media`;
        return { file, address, url: `${address}&token=${JSON.parse(text).downloadTokens}` };
      };
      const [image, font, other] = [
        await store('images/behind.csv', 'text/csv'),
        await store('fonts/behind.otf', 'font/otf'),
        await store('fonts/other.otf', 'font/otf'),
      ];
      const named = (url) => ({ family: 'own-a', name: 'Runes', url, weight: 400, italic: false });
      const layoutOf = (...urls) => ({
        name: 'Card',
        version: 1,
        scene: { zones: [{ source: 'image:behind/behind.csv' }], fonts: urls.map(named) },
      });
      const layouts = (who) => `users/${who.uid}/library/layouts/items`;
      const library = `users/${ann.uid}/library/images/items`;
      await world.put(
        {
          [`${library}/behind`]: { ...imageAt(image.file), path: 'behind.csv' },
          [`${library}/beside`]: { ...imageAt(image.file), path: 'beside.csv' },
          [`${layouts(ann)}/behind`]: layoutOf(font.url),
        },
        ann,
      );
      const guesses = [font.address, `${font.address}&token=`, `${font.address}&token=${'0'.repeat(36)}`];
      await world.put({ [`${layouts(bob)}/behind`]: layoutOf(...guesses) }, bob);
      const images = ['behind', 'beside', `../items/behind`, 'behind/x/y'];
      const fonts = [font.url, other.url, ...guesses, font.file];
      const sources = [
        { owner: ann.uid, layout: 'behind' },
        { owner: bob.uid, layout: 'behind' },
        { owner: ann.uid },
        { owner: `${bob.uid}/../${ann.uid}`, layout: 'behind' },
        { owner: bob.uid, layout: `../../../../${ann.uid}/library/layouts/items/behind` },
        { project: `d/layouts/behind/../..`, layout: 'behind' },
      ];
      const tried = async (who, from, kind, id) => {
        const { status, reply } = await world.call(
          'copyAssets',
          { kind, from, to: {}, ids: [id] },
          who?.token,
        );
        return {
          status,
          reply,
          what: `${who?.name} ${kind} ${id} ${JSON.stringify({ from, status, reply })}`,
        };
      };
      for (const who of [bob, pat, undefined]) {
        for (const from of sources) {
          for (const [kind, id] of [
            ...images.map((id) => ['images', id]),
            ...fonts.map((id) => ['fonts', id]),
          ]) {
            const { status, reply, what } = await tried(who, from, kind, id);
            assert.ok(status !== 200 || Object.keys(reply.result.ids).length === 0, what);
          }
        }
      }
      // Once Ann shares it, Bob copies what it names and nothing else, so that the refusals mean something.
      await world.put({ [`${layouts(ann)}/behind`]: { ...layoutOf(font.url), shared: true } }, ann);
      for (const [kind, id, is] of [
        ['images', 'behind', true],
        ['images', 'beside', false],
        ['fonts', font.url, true],
        ['fonts', other.url, false],
      ]) {
        const { status, reply, what } = await tried(bob, sources[0], kind, id);
        assert.equal(status, 200, what);
        assert.deepEqual(Object.keys(reply.result.ids), is ? [id] : [], what);
      }
    },
  );
}
