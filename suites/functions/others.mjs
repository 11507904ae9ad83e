// Accounts, files, topics, events by name, blocking functions, schedules and task queues reach functions.
import assert from 'node:assert/strict';
import { PubSub } from '@google-cloud/pubsub';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { getEventarc } from 'firebase-admin/eventarc';
import { getFunctions } from 'firebase-admin/functions';
import { getStorage } from 'firebase-admin/storage';
import {
  account,
  app,
  claims,
  db,
  logged,
  logs,
  OURS,
  PROJECT,
  service,
  silent,
  test,
  unique,
  until,
} from './harness.mjs';

const auth = getAuth(app);
const json = { 'content-type': 'application/json' };

test('an account that comes and goes is told', async () => {
  const email = `${unique()}@example.com`;
  const { uid } = await auth.createUser({ email });
  const [created] = await logs('v1user', uid);
  assert.equal(created.email, email);
  assert.ok(Date.parse(created.made) > 0);
  await auth.updateUser(uid, { displayName: 'changed' });
  await auth.deleteUser(uid);
  const [gone] = await logs('v1userGone', uid);
  assert.equal(gone.email, email);
  assert.equal((await logged('v1user', uid)).length, 1);
});

test('blocking functions change and refuse accounts', async () => {
  const email = `${unique()}@example.com`;
  const made = await account('signUp', { email, password: 'secret1', returnSecureToken: true });
  assert.equal(made.error, undefined, JSON.stringify(made.error));
  const told = claims(made.idToken);
  assert.deepEqual([told.name, told.gated, told.door], [`new ${email}`, true, email]);
  const blocked = await account('signUp', { email: `blocked-${email}`, password: 'secret1' });
  assert.match(blocked.error.message, /^BLOCKING_FUNCTION_ERROR_RESPONSE : /);
  assert.match(blocked.error.message, /not you/);
  await assert.rejects(auth.getUserByEmail(`blocked-${email}`), { code: 'auth/user-not-found' });
});

test('a file that comes, changes and goes is told to both generations', async () => {
  const id = `${unique()}/a b.txt`;
  const file = getStorage(app).bucket().file(id);
  await file.save('hello', { contentType: 'text/plain', resumable: false });
  const [found] = await logs('file', id);
  assert.deepEqual([found.size, found.type, found.bucket], [5, 'text/plain', `${PROJECT}.appspot.com`]);
  const [first] = await logs('v1file', id);
  assert.equal(first.type, 'google.storage.object.finalize');
  await file.setMetadata({ metadata: { colour: 'red' } });
  for (const kind of ['relabelled', 'v1relabelled']) {
    const [{ metadata }] = await logs(kind, id);
    assert.equal(metadata.colour, 'red');
  }
  await file.delete();
  for (const kind of ['gone', 'v1gone']) await logs(kind, id);
});

test('an event published by name reaches its function', async () => {
  const id = unique();
  // Only this part of the SDK asks for credentials even where there is an emulator.
  const credential = { getAccessToken: async () => ({ access_token: 'owner', expires_in: 3600 }) };
  const publisher = initializeApp({ projectId: PROJECT, credential }, 'publisher');
  const channel = getEventarc(publisher).channel('locations/us-central1/channels/firebase');
  await channel.publish({ type: 'my.own.event', subject: 'about', source: '/test', data: { id } });
  const [{ subject }] = await logs('custom', id);
  assert.equal(subject, 'about');
});

test('a task runs with its data, also later', async () => {
  const queue = getFunctions(app).taskQueue('task');
  const [now, soon] = [unique(), unique()];
  await queue.enqueue({ id: now });
  await queue.enqueue({ id: soon }, { scheduleDelaySeconds: 2 });
  const [ran] = await logs('task', now);
  assert.equal(ran.retries, 0);
  await logs('task', soon);
  const id = unique();
  await getFunctions(app).taskQueue('v1task').enqueue({ id });
  await logs('v1task', id);
});

test('a task that fails is tried again, as its queue says', async () => {
  const [mends, never] = [unique(), unique()];
  const queue = getFunctions(app).taskQueue('task');
  await queue.enqueue({ id: mends, failures: 2 });
  await queue.enqueue({ id: never, failures: 9 });
  const [{ retries }] = await logs('task', mends);
  assert.equal(retries, 2);
  await silent('task', never);
});

test('a task can be named and deleted, and has its name alone', async () => {
  const queue = getFunctions(app).taskQueue('task');
  const [kept, dropped] = [unique(), unique()];
  const later = { scheduleDelaySeconds: 2 };
  await queue.enqueue({ id: kept }, { id: kept, ...later });
  await assert.rejects(queue.enqueue({ id: kept }, { id: kept }), { code: 'functions/task-already-exists' });
  await queue.enqueue({ id: dropped }, { id: dropped, ...later });
  await queue.delete(dropped);
  const [{ name }] = await logs('task', kept);
  assert.equal(name, kept);
  await silent('task', dropped);
});

test('a message published with the official library reaches functions of both generations', async () => {
  const id = unique();
  const topic = new PubSub({ projectId: PROJECT }).topic('news', { messageOrdering: true });
  const send = (n) => topic.publishMessage({ json: { n }, attributes: { id }, orderingKey: 'k' });
  const ids = await Promise.all([send(1), send(2)]);
  assert.equal(new Set(ids).size, 2);
  for (const kind of ['message', 'v1message']) {
    const all = await logs(kind, id, 2);
    assert.deepEqual(all.map(({ json: { n } }) => n).sort(), [1, 2]);
  }
});

test('a message on the topic of a schedule runs its function', async () => {
  const seen = async (kind) => (await db.collection('log').where('kind', '==', kind).get()).size;
  // The official suite knows no way to those of the second generation.
  for (const kind of OURS ? ['tick', 'v1tick'] : ['v1tick']) {
    const before = await seen(kind);
    const topic = new PubSub({ projectId: PROJECT }).topic(`firebase-schedule-${kind}`);
    await topic.publishMessage({ data: Buffer.from('now') });
    await until(kind, async () => (await seen(kind)) > before);
  }
});

if (OURS) {
  test('topics are those that functions listen to, and each exists', async () => {
    const pubsub = new PubSub({ projectId: PROJECT });
    const name = (topic) => `projects/${PROJECT}/topics/${topic}`;
    const [listed] = await pubsub.getTopics();
    assert.deepEqual(
      listed.map((topic) => topic.name),
      [name('news')],
    );
    const [made] = await pubsub.createTopic('anything');
    assert.equal(made.name, name('anything'));
    assert.deepEqual(await made.exists(), [true]);
    await assert.rejects(made.publishMessage({ data: Buffer.alloc(0) }), { code: 3 });
    await assert.rejects(made.delete(), { code: 12, message: /DeleteTopic is not there/ });
  });

  const post = async (path, body) => {
    const url = `${await service('functions')}${path}`;
    const answer = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };

  test('a published message reaches functions of both generations, in order by its key', async () => {
    const id = unique();
    const message = (n) => ({
      data: Buffer.from(JSON.stringify({ n })).toString('base64'),
      attributes: { id },
      orderingKey: 'k',
    });
    const path = `/v1/projects/${PROJECT}/topics/news:publish`;
    const { body } = await post(path, { messages: [message(1), message(2)] });
    assert.equal(body.messageIds.length, 2);
    for (const kind of ['message', 'v1message']) {
      const all = await logs(kind, id, 2);
      assert.deepEqual(all.map(({ json: { n } }) => n).sort(), [1, 2]);
    }
    const wrong = await post(path, { messages: [{}] });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.error.message, /neither data nor attributes/);
  });

  test('an event by hand reaches the function that is named', async () => {
    const id = unique();
    const data = { message: { data: 'e30=', attributes: { id } } };
    const { status } = await post(`/functions/projects/${PROJECT}/triggers/us-central1-message-0`, { data });
    assert.equal(status, 200);
    await logs('message', id);
    assert.equal((await post(`/functions/projects/${PROJECT}/triggers/none`, {})).status, 404);
  });

  test('a schedule runs on demand', async () => {
    const seen = async (kind) => (await db.collection('log').where('kind', '==', kind).get()).size;
    for (const kind of ['tick', 'v1tick']) {
      const before = await seen(kind);
      assert.equal((await post(`/functions/projects/${PROJECT}/triggers/${kind}`, {})).status, 200);
      await until(kind, async () => (await seen(kind)) > before);
    }
    const ticks = await db.collection('log').where('kind', '==', 'tick').get();
    assert.match(ticks.docs[0].get('id'), /\/jobs\/firebase-schedule-tick-us-central1$/);
    assert.ok(Date.parse(ticks.docs[0].get('at')) > 0);
  });

  test('what is asked of queues that are not there is refused', async () => {
    const { status, body } = await post(`/projects/${PROJECT}/locations/us-central1/queues/none/tasks`, {
      task: {},
    });
    assert.equal(status, 404);
    assert.match(body.error.message, /no task-queue function none/);
  });
}
