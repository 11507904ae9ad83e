/** Functions of the first generation, one of every kind. */

import * as v1 from 'firebase-functions/v1';
import { log } from './log';

export const v1echo = v1.https.onCall((data, context) => ({ data, uid: context.auth?.uid ?? null }));

export const v1web = v1.https.onRequest((request, response) => {
  response.send(`v1 ${request.method}`);
});

const things = v1.firestore.document('things/{id}');

export const v1thing = things.onWrite((change, context) =>
  log('v1written', {
    id: context.params['id'],
    exists: change.after.exists,
    existed: change.before.exists,
  }),
);

export const v1created = things.onCreate((snapshot, context) =>
  log('v1created', { id: context.params['id'], data: snapshot.data(), type: context.eventType }),
);

export const v1updated = things.onUpdate((change, context) =>
  log('v1updated', { id: context.params['id'], before: change.before.data(), after: change.after.data() }),
);

export const v1deleted = things.onDelete((snapshot, context) =>
  log('v1deleted', { id: context.params['id'], data: snapshot.data(), name: context.resource.name }),
);

export const v1user = v1.auth
  .user()
  .onCreate((user) => log('v1user', { id: user.uid, email: user.email, made: user.metadata.creationTime }));

export const v1userGone = v1.auth
  .user()
  .onDelete((user) => log('v1userGone', { id: user.uid, email: user.email }));

export const v1tick = v1.pubsub
  .schedule('every 5 minutes')
  .onRun((context) => log('v1tick', { id: context.resource?.name ?? null, at: context.timestamp }));

export const v1message = v1.pubsub
  .topic('news')
  .onPublish((message) => log('v1message', { id: message.attributes['id'], json: message.json }));

export const v1file = v1.storage
  .object()
  .onFinalize((object, context) => log('v1file', { id: object.name, type: context.eventType }));

export const v1gone = v1.storage.object().onDelete((object) => log('v1gone', { id: object.name }));

export const v1relabelled = v1.storage
  .object()
  .onMetadataUpdate((object) => log('v1relabelled', { id: object.name, metadata: object.metadata ?? null }));

export const v1task = v1.tasks.taskQueue().onDispatch(async (data, context) => {
  await log('v1task', { id: data.id, name: context.id });
});
