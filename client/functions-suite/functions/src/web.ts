/** Functions that answer any request. */

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

export const slow = onRequest({ timeoutSeconds: 1 }, () => {});
