/** Functions that report their settings and their environment. */

import { defineBoolean, defineInt, defineSecret, defineString } from 'firebase-functions/params';
import { onRequest } from 'firebase-functions/v2/https';

const everywhere = defineString('EVERYWHERE');
const place = defineString('PLACE');
const own = defineString('OWN');
const most = defineInt('MOST', { default: 3 });
const open = defineBoolean('OPEN', { default: true });
const token = defineSecret('TOKEN');

export const settings = onRequest({ secrets: [token] }, (_request, response) => {
  const { env } = process;
  response.json({
    everywhere: everywhere.value(),
    place: place.value(),
    own: own.value(),
    most: most.value(),
    open: open.value(),
    token: token.value(),
    emulator: env['FUNCTIONS_EMULATOR'],
    project: env['GCLOUD_PROJECT'],
    config: JSON.parse(env['FIREBASE_CONFIG'] ?? '{}').projectId,
    hosts: ['FIRESTORE_EMULATOR_HOST', 'FIREBASE_AUTH_EMULATOR_HOST', 'FIREBASE_STORAGE_EMULATOR_HOST'].map(
      (name) => env[name] !== undefined,
    ),
  });
});
