// A functions source as it was written for earlier releases of firebase-functions: until 6 the package's own name was the
// first generation. `OLDER` says what the release has.
const functions = require('firebase-functions');
const admin = require('firebase-admin');
const { getFirestore } = require('firebase-admin/firestore');
const { onRequest, onCall, HttpsError } = require('firebase-functions/v2/https');
const { onObjectFinalized } = require('firebase-functions/v2/storage');
const { onMessagePublished } = require('firebase-functions/v2/pubsub');
const { onTaskDispatched } = require('firebase-functions/v2/tasks');

const v1 = functions.firestore?.document ? functions : require('firebase-functions/v1');
/** A module that earlier releases lack. */
const since = (name) => {
  try {
    return require(name);
  } catch {
    return {};
  }
};
const { onDocumentWritten } = since('firebase-functions/v2/firestore');
const { onSchedule } = since('firebase-functions/v2/scheduler');
const { defineString } = since('firebase-functions/params');

admin.initializeApp();
const log = (kind, entry) =>
  getFirestore()
    .collection('log')
    .add({ kind, ...entry });

exports.v1echo = v1.https.onCall((data, context) => {
  if (data === 'refuse') throw new v1.https.HttpsError('not-found', 'no such thing', { row: 1 });
  return { data, uid: context.auth?.uid ?? null };
});
exports.v1web = v1.region('europe-west1').https.onRequest((request, response) => {
  response.status(201).send(`${request.method} ${request.path} ${request.rawBody.toString()}`);
});
exports.v1config = v1.https.onCall(() => (v1.config === undefined ? null : v1.config().shop));
exports.v1written = v1.firestore.document('things/{id}').onWrite((change, context) =>
  log('v1written', {
    id: context.params.id,
    existed: change.before.exists,
    data: change.after.data() ?? null,
  }),
);
exports.v1user = v1.auth.user().onCreate((user) => log('v1user', { id: user.uid, email: user.email }));
exports.v1gate = v1.auth.user().beforeCreate((user) => {
  if (user.email.startsWith('blocked')) throw new v1.https.HttpsError('permission-denied', 'not you');
  return { displayName: `new ${user.email}` };
});
exports.v1door = v1.auth.user().beforeSignIn((user) => ({ sessionClaims: { door: user.email } }));
exports.v1file = v1.storage.object().onFinalize((object) => log('v1file', { id: object.name }));
exports.v1tick = v1.pubsub.schedule('every 5 minutes').onRun(() => log('v1tick', { id: 'tick' }));
exports.v1message = v1.pubsub
  .topic('news')
  .onPublish((message) => log('v1message', { id: message.attributes.id, json: message.json }));

exports.group = {
  echo: onCall({ timeoutSeconds: 20 }, ({ data, auth }) => {
    if (data === 'refuse') throw new HttpsError('aborted', 'not now');
    return { data, uid: auth?.uid ?? null };
  }),
};
exports.web = onRequest((request, response) => response.json({ path: request.path, query: request.query }));
exports.file = onObjectFinalized(({ data }) => log('file', { id: data.name }));
exports.message = onMessagePublished('news', ({ data: { message } }) =>
  log('message', { id: message.attributes.id, json: message.json }),
);
exports.task = onTaskDispatched(({ data }) => log('task', { id: data.id }));
if (onDocumentWritten)
  exports.written = onDocumentWritten('things/{id}', (event) =>
    log('written', { id: event.params.id, data: event.data?.after.data() ?? null }),
  );
if (onSchedule) exports.tick = onSchedule('every 5 minutes', () => log('tick', { id: 'tick' }));
if (defineString) {
  const greeting = defineString('GREETING', { default: 'Hello' });
  exports.greet = onRequest((_request, response) => response.send(greeting.value()));
}
