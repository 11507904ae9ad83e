/** A functions source as its documentation would have it: every kind of trigger, both generations. */

const { initializeApp } = require('firebase-admin/app');
const { FieldValue, getFirestore } = require('firebase-admin/firestore');
const v1 = require('firebase-functions/v1');
const { defineString } = require('firebase-functions/params');
const {
  onDocumentCreated,
  onDocumentCreatedWithAuthContext,
  onDocumentUpdated,
  onDocumentDeleted,
  onDocumentWritten,
} = require('firebase-functions/v2/firestore');
const { HttpsError, onCall, onRequest } = require('firebase-functions/v2/https');
const { onCustomEventPublished } = require('firebase-functions/v2/eventarc');
const {
  HttpsError: IdentityError,
  beforeUserCreated,
  beforeUserSignedIn,
} = require('firebase-functions/v2/identity');
const { onMessagePublished } = require('firebase-functions/v2/pubsub');
const { onSchedule } = require('firebase-functions/v2/scheduler');
const {
  onObjectDeleted,
  onObjectFinalized,
  onObjectMetadataUpdated,
} = require('firebase-functions/v2/storage');
const { onTaskDispatched } = require('firebase-functions/v2/tasks');

initializeApp();
const greeting = defineString('GREETING', { default: 'Hello' });
const log = (kind, entry) =>
  getFirestore()
    .collection('log')
    .add({ kind, ...entry });

exports.echo = onCall(({ data, auth }) => ({ data, uid: auth?.uid ?? null }));
exports.refuse = onCall(() => {
  throw new HttpsError('not-found', 'no such thing', { looked: 'everywhere' });
});
exports.fail = onCall(({ data }) => {
  throw new HttpsError(data, `as ${data}`, { code: data });
});
exports.who = onCall(({ auth, app, instanceIdToken }) => ({
  uid: auth?.uid ?? null,
  app: app?.appId ?? null,
  instance: instanceIdToken ?? null,
}));
exports.break = onCall(() => {
  throw new Error('a secret of the server');
});
exports.count = onCall(async ({ data }, response) => {
  for (let n = 1; n <= data.to; n++) await response.sendChunk(n);
  return data.to;
});
exports.web = onRequest((request, response) => {
  response
    .status(201)
    .set('x-answer', 'yes')
    .json({
      method: request.method,
      path: request.path,
      query: request.query,
      bytes: request.rawBody?.length ?? 0,
      greeting: greeting.value(),
      target: request.get('x-tuckbox-target') ?? null,
    });
});
exports.slow = onRequest({ timeoutSeconds: 1 }, () => {});
exports.loop = onRequest({ timeoutSeconds: 3 }, () => {
  for (;;);
});
exports.hog = onRequest(() => {
  const kept = [];
  for (;;) kept.push(new Array(1e6).fill(kept.length));
});
exports.quit = onRequest(() => process.exit(3));
exports.shout = onRequest((_request, response) => {
  for (let n = 0; n < 20_000; n++) console.log('x'.repeat(200));
  response.send('done');
});
exports.trace = onCall(({ rawRequest }) => rawRequest.get('traceparent') ?? null);
exports.pid = onCall(() => process.pid);
exports.spin = onCall({ timeoutSeconds: 5 }, () => {
  for (;;);
});
exports.fill = onCall(() => {
  const kept = [];
  for (;;) kept.push(new Array(1e6).fill(kept.length));
});
exports.leave = onCall(() => process.exit(3));
exports.roar = onCall(() => {
  for (let n = 0; n < 20_000; n++) console.log('x'.repeat(200));
  process.stdout.write('y'.repeat(4_000_000));
});
exports.group = { inner: onCall(() => 'inner') };

exports.created = onDocumentCreated('things/{id}', (event) =>
  log('created', { id: event.params.id, data: event.data.data(), event: event.id }),
);
exports.updated = onDocumentUpdated('things/{id}', (event) =>
  log('updated', { id: event.params.id, before: event.data.before.data(), after: event.data.after.data() }),
);
exports.deleted = onDocumentDeleted('things/{id}', (event) =>
  log('deleted', { id: event.params.id, data: event.data.data() }),
);
exports.written = onDocumentWritten('things/{id}', (event) =>
  log('written', { id: event.params.id, exists: event.data.after.exists, existed: event.data.before.exists }),
);
exports.second = onDocumentCreated({ document: 'things/{id}', database: 'second' }, (event) =>
  log('second', { id: event.params.id, database: event.database }),
);
exports.deep = onDocumentWritten('deep/{path=**}', (event) => log('deep', { path: event.params.path }));
exports.signed = onDocumentCreatedWithAuthContext('signed/{id}', (event) =>
  log('signed', { id: event.params.id, authType: event.authType, authId: event.authId ?? null }),
);
exports.ordered = onDocumentWritten('ordered/{id}', async (event) => {
  const steps = getFirestore().doc(`steps/${event.params.id}`);
  await steps.set({ seen: FieldValue.arrayUnion(event.data.after.get('n')) }, { merge: true });
});
exports.flaky = onDocumentCreated({ document: 'flaky/{id}', retry: true }, async (event) => {
  const tries = getFirestore().doc(`tries/${event.params.id}`);
  await tries.set({ n: FieldValue.increment(1) }, { merge: true });
  const { n } = (await tries.get()).data();
  if (n < event.data.get('needed')) throw new Error(`try ${n} fails`);
});
exports.doomed = onDocumentCreated('doomed/{id}', () => {
  throw new Error('the reason it failed');
});
exports.message = onMessagePublished('news', ({ data: { message } }) =>
  log('message', { id: message.attributes.id, json: message.json, key: message.orderingKey }),
);
exports.custom = onCustomEventPublished('my.own.event', (event) =>
  log('custom', { id: event.data.id, subject: event.subject ?? null }),
);
exports.tick = onSchedule('every 5 minutes', (event) =>
  log('tick', { id: event.jobName, at: event.scheduleTime }),
);
exports.task = onTaskDispatched(
  { retryConfig: { maxAttempts: 3, minBackoffSeconds: 0.1 } },
  async (request) => {
    const { id, failures = 0 } = request.data;
    if (request.retryCount < failures) throw new Error(`try ${request.retryCount} fails`);
    await log('task', { id, name: request.id, queue: request.queueName, retries: request.retryCount });
  },
);
exports.file = onObjectFinalized(({ data }) =>
  log('file', { id: data.name, size: Number(data.size), type: data.contentType, bucket: data.bucket }),
);
exports.gone = onObjectDeleted(({ data }) => log('gone', { id: data.name }));
exports.relabelled = onObjectMetadataUpdated(({ data }) =>
  log('relabelled', { id: data.name, metadata: data.metadata ?? null }),
);
exports.gate = beforeUserCreated(({ data }) => {
  if (data.email?.startsWith('blocked')) throw new IdentityError('permission-denied', 'not you');
  return { displayName: `new ${data.email}`, customClaims: { gated: true } };
});
exports.door = beforeUserSignedIn(({ data }) => ({ sessionClaims: { door: data.email ?? 'nobody' } }));

exports.v1echo = v1.https.onCall((data, context) => ({ data, uid: context.auth?.uid ?? null }));
exports.v1web = v1.https.onRequest((request, response) => response.send(`v1 ${request.method}`));
const v1things = v1.firestore.document('things/{id}');
exports.v1thing = v1things.onWrite((change, context) =>
  log('v1written', { id: context.params.id, exists: change.after.exists, existed: change.before.exists }),
);
exports.v1created = v1things.onCreate((snapshot, context) =>
  log('v1created', { id: context.params.id, data: snapshot.data(), type: context.eventType }),
);
exports.v1updated = v1things.onUpdate((change, context) =>
  log('v1updated', { id: context.params.id, before: change.before.data(), after: change.after.data() }),
);
exports.v1deleted = v1things.onDelete((snapshot, context) =>
  log('v1deleted', { id: context.params.id, data: snapshot.data(), name: context.resource.name }),
);
exports.v1user = v1.auth
  .user()
  .onCreate((user) => log('v1user', { id: user.uid, email: user.email, made: user.metadata.creationTime }));
exports.v1userGone = v1.auth
  .user()
  .onDelete((user) => log('v1userGone', { id: user.uid, email: user.email }));
exports.v1tick = v1.pubsub
  .schedule('every 5 minutes')
  .onRun((context) => log('v1tick', { id: context.resource?.name ?? null, at: context.timestamp }));
exports.v1message = v1.pubsub
  .topic('news')
  .onPublish((message) => log('v1message', { id: message.attributes.id, json: message.json }));
exports.v1file = v1.storage
  .object()
  .onFinalize((object, context) => log('v1file', { id: object.name, type: context.eventType }));
exports.v1gone = v1.storage.object().onDelete((object) => log('v1gone', { id: object.name }));
exports.v1relabelled = v1.storage
  .object()
  .onMetadataUpdate((object) => log('v1relabelled', { id: object.name, metadata: object.metadata ?? null }));
exports.v1task = v1.tasks
  .taskQueue()
  .onDispatch((data, context) => log('v1task', { id: data.id, name: context.id }));
