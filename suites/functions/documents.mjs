// Changes of documents reach functions of both generations: what they are given, in order, again when they fail.
import assert from 'node:assert/strict';
import { Timestamp } from 'firebase-admin/firestore';
import { db, logged, logs, OURS, PROJECT, second, service, silent, test, unique, until } from './harness.mjs';

const values = {
  text: 'é',
  whole: 7,
  half: 0.5,
  none: null,
  yes: true,
  at: new Timestamp(1_700_000_000, 123_000),
  list: [1, { deep: 'x' }],
  map: { a: { b: 1 } },
  bytes: Buffer.from([0, 255]),
};

test('a document that comes, changes and goes is told to both generations', async () => {
  const id = unique();
  const doc = db.doc(`things/${id}`);
  await doc.set(values);
  const [created] = await logs('created', id);
  assert.deepEqual(created.data, values);
  const [v1created] = await logs('v1created', id);
  assert.deepEqual(v1created.data, values);
  assert.equal(v1created.type, 'google.firestore.document.create');
  await doc.update({ whole: 8 });
  const changed = { ...values, whole: 8 };
  for (const kind of ['updated', 'v1updated']) {
    const [{ before, after }] = await logs(kind, id);
    assert.deepEqual({ before, after }, { before: values, after: changed });
  }
  await doc.delete();
  for (const kind of ['deleted', 'v1deleted']) {
    const [{ data }] = await logs(kind, id);
    assert.deepEqual(data, changed);
  }
  const [{ name }] = await logs('v1deleted', id);
  assert.equal(name, `projects/${PROJECT}/databases/(default)/documents/things/${id}`);
  for (const kind of ['written', 'v1written']) {
    const all = await logs(kind, id, 3);
    const steps = all.map(({ existed, exists }) => `${existed}-${exists}`).sort();
    assert.deepEqual(steps, ['false-true', 'true-false', 'true-true']);
  }
});

test('every change of a transaction is told', async () => {
  const ids = [unique(), unique(), unique()];
  await db.runTransaction(async (transaction) => {
    for (const id of ids) transaction.set(db.doc(`things/${id}`), { id });
  });
  for (const id of ids) assert.equal((await logs('created', id)).length, 1);
});

test('patterns take paths of any depth, and only what they name', async () => {
  const id = unique();
  const path = `deep/${id}/a/b/c/d`;
  await db.doc(path).set({});
  await until('the deep function', async () => {
    const found = await db.collection('log').where('kind', '==', 'deep').get();
    return found.docs.some((one) => one.get('path') === path.slice('deep/'.length));
  });
  await db.doc(`things/${id}/below/${id}`).set({});
  await silent('created', id);
});

test('a named database has functions of its own', async () => {
  const id = unique();
  await second.doc(`things/${id}`).set({});
  const [{ database }] = await logs('second', id);
  assert.equal(database, 'second');
  assert.deepEqual(await logged('created', id), []);
});

test('functions that ask who made a change are told', async () => {
  const id = unique();
  const document = db.doc(`signed/${id}`);
  await document.set({});
  const [by] = await logs('signed', id);
  await document.update({ n: 1 });
  const [then] = await logs('resigned', id);
  await document.delete();
  const [last] = await logs('unsigned', id);
  const all = await logs('anySigned', id, 3);
  // The official suite does not know.
  if (OURS)
    for (const { authType, authId } of [by, then, last, ...all])
      assert.deepEqual([authType, authId], ['service_account', `${PROJECT}@appspot.gserviceaccount.com`]);
});

test('a large document arrives whole', async () => {
  const id = unique();
  const text = 'x'.repeat(400_000);
  await db.doc(`things/${id}`).set({ text });
  for (const kind of ['created', 'v1created']) {
    const [{ data }] = await logs(kind, id);
    assert.equal(data.text, text);
  }
  await db.doc(`things/${id}`).set({ text: `${text}y` });
  const [{ before, after }] = await logs('v1updated', id);
  assert.equal(before.text.length + 1, after.text.length);
});

if (OURS) {
  // In the cloud it is none; the official suite tells of it.
  test('a write that changes nothing is no event', async () => {
    const id = unique();
    await db.doc(`things/${id}`).set({ n: 1 });
    await logs('created', id);
    await db.doc(`things/${id}`).set({ n: 1 });
    await silent('updated', id);
  });

  test('who made a change is the user, or nobody', async () => {
    const token = (claims) => {
      const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
    };
    const bearer = `Bearer ${token({ sub: 'ann', aud: PROJECT, iss: `https://securetoken.google.com/${PROJECT}` })}`;
    const url = `http://${process.env.FIRESTORE_EMULATOR_HOST}/v1/projects/${PROJECT}/databases/(default)/documents/signed`;
    for (const [headers, expected] of [
      [{ authorization: bearer }, ['unknown', 'ann']],
      [{}, ['unauthenticated', null]],
    ]) {
      const id = unique();
      const made = await fetch(`${url}?documentId=${id}`, { method: 'POST', headers, body: '{}' });
      assert.equal(made.status, 200, await made.text());
      const [by] = await logs('signed', id);
      assert.deepEqual([by.authType, by.authId], expected);
    }
  });

  test('the changes of one document arrive in order', async () => {
    const ids = [unique(), unique()];
    const count = 25;
    for (let n = 1; n <= count; n++) await Promise.all(ids.map((id) => db.doc(`ordered/${id}`).set({ n })));
    const expected = Array.from({ length: count }, (_, n) => n + 1);
    for (const id of ids) {
      const seen = await until(`${count} steps`, async () => {
        const steps = (await db.doc(`steps/${id}`).get()).get('seen');
        return steps?.length === count ? steps : undefined;
      });
      assert.deepEqual(seen, expected);
    }
  });

  test('a function that asks for it is tried again until it succeeds', async () => {
    const id = unique();
    await db.doc(`flaky/${id}`).set({ needed: 3 });
    await until('the third try', async () => (await db.doc(`tries/${id}`).get()).get('n') === 3);
  });

  test('what fails for good is a dead letter that says why', async () => {
    const id = unique();
    await db.doc(`doomed/${id}`).set({ kept: 'whole' });
    const url = `${await service('functions')}/emulator/v1/projects/${PROJECT}/deadLetters`;
    const letter = await until('the dead letter', async () => {
      const { deadLetters } = await (await fetch(url)).json();
      return deadLetters.find((one) => one.about?.endsWith(`/doomed/${id}`));
    });
    assert.equal(letter.function, 'doomed');
    assert.equal(letter.failures, 1);
    assert.match(letter.error, /the reason it failed/);
    assert.equal(letter.body.document, `doomed/${id}`);
    assert.equal((await fetch(url, { method: 'DELETE' })).status, 200);
    assert.deepEqual(await (await fetch(url)).json(), { deadLetters: [] });
  });
}

test('background functions are switched off and on by the hub', async () => {
  const hub = `http://${process.env.FIREBASE_EMULATOR_HUB}/functions`;
  const [off, on] = [unique(), unique()];
  const disabled = await fetch(`${hub}/disableBackgroundTriggers`, { method: 'PUT' });
  assert.deepEqual(await disabled.json(), { enabled: false });
  await db.doc(`things/${off}`).set({});
  const enabled = await fetch(`${hub}/enableBackgroundTriggers`, { method: 'PUT' });
  assert.deepEqual(await enabled.json(), { enabled: true });
  await db.doc(`things/${on}`).set({});
  await logs('created', on);
  await silent('created', off);
});
