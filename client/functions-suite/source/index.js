/** A functions source as its documentation would have it: every kind of trigger, both generations. */

const { initializeApp } = require('firebase-admin/app');
const { getFirestore } = require('firebase-admin/firestore');
const v1 = require('firebase-functions/v1');
const { defineString } = require('firebase-functions/params');
const {
  onDocumentCreated,
  onDocumentUpdated,
  onDocumentDeleted,
  onDocumentWritten,
} = require('firebase-functions/v2/firestore');
const { HttpsError, onCall, onRequest } = require('firebase-functions/v2/https');
const { beforeUserCreated } = require('firebase-functions/v2/identity');
const { onMessagePublished } = require('firebase-functions/v2/pubsub');
const { onSchedule } = require('firebase-functions/v2/scheduler');
const { onObjectFinalized } = require('firebase-functions/v2/storage');
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
exports.group = { inner: onCall(() => 'inner') };

exports.created = onDocumentCreated('things/{id}', (event) =>
  log('created', { id: event.params.id, data: event.data.data() }),
);
exports.updated = onDocumentUpdated('things/{id}', (event) =>
  log('updated', { before: event.data.before.data(), after: event.data.after.data() }),
);
exports.deleted = onDocumentDeleted('things/{id}', (event) => log('deleted', { data: event.data.data() }));
exports.written = onDocumentWritten('things/{id}', (event) =>
  log('written', { exists: event.data.after.exists }),
);
exports.message = onMessagePublished('news', (event) => log('message', { json: event.data.message.json }));
exports.tick = onSchedule('every 5 minutes', () => log('tick', {}));
exports.task = onTaskDispatched(({ data }) => log('task', { data }));
exports.file = onObjectFinalized((event) => log('file', { name: event.data.name }));
exports.gate = beforeUserCreated((event) => ({ displayName: `new ${event.data.email}` }));

exports.v1echo = v1.https.onCall((data, context) => ({ data, uid: context.auth?.uid ?? null }));
exports.v1web = v1.https.onRequest((request, response) => response.send(`v1 ${request.method}`));
exports.v1thing = v1.firestore
  .document('things/{id}')
  .onWrite((change, context) => log('v1written', { id: context.params.id, exists: change.after.exists }));
exports.v1user = v1.auth.user().onCreate((user) => log('v1user', { email: user.email }));
exports.v1tick = v1.pubsub.schedule('every 5 minutes').onRun(() => log('v1tick', {}));
