/** Functions that answer any request. */

import { getFirestore } from 'firebase-admin/firestore';
import { defineString } from 'firebase-functions/params';
import { onRequest } from 'firebase-functions/v2/https';

const greeting = defineString('GREETING', { default: 'Hello' });

export const web = onRequest((request, response) => {
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

/** Answers with the very bytes it was sent. */
export const mirror = onRequest((request, response) => {
  response.type('application/octet-stream').send(request.rawBody ?? Buffer.alloc(0));
});

/** Answers in two parts, the second once a document tells it to. */
export const parts = onRequest(async (request, response) => {
  response.type('text/plain').write('first\n');
  const go = getFirestore().doc(`go/${request.query['id']}`);
  while (!(await go.get()).exists) await new Promise((done) => setTimeout(done, 20));
  response.end('second\n');
});

export const slow = onRequest({ timeoutSeconds: 1 }, () => {});
