/** Callable functions. */

import { type FunctionsErrorCode, HttpsError, onCall } from 'firebase-functions/v2/https';

export const echo = onCall(({ data, auth }) => ({ data, uid: auth?.uid ?? null }));

export const refuse = onCall(() => {
  throw new HttpsError('not-found', 'no such thing', { looked: 'everywhere' });
});

export const fail = onCall<FunctionsErrorCode>(({ data }) => {
  throw new HttpsError(data, `as ${data}`, { code: data });
});

export const who = onCall(({ auth, app, instanceIdToken }) => ({
  uid: auth?.uid ?? null,
  app: app?.appId ?? null,
  instance: instanceIdToken ?? null,
}));

const throws = onCall(() => {
  throw new Error('a secret of the server');
});

export { throws as break };

export const count = onCall<{ to: number }, Promise<number>, number>(async ({ data }, response) => {
  for (let n = 1; n <= data.to; n++) await response?.sendChunk(n);
  return data.to;
});

export const trace = onCall(({ rawRequest }) => rawRequest.get('traceparent') ?? null);

export const pid = onCall(() => process.pid);

export const group = { inner: onCall(() => 'inner') };
