/** Callable functions. */

import {
  type CallableRequest,
  type CallableResponse,
  type FunctionsErrorCode,
  HttpsError,
  onCall,
} from 'firebase-functions/v2/https';
import { log } from './log';

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

export const rejects = onCall(async () => {
  await Promise.reject(new Error('a secret of the server'));
});

export const count = onCall<{ to: number }, Promise<number>, number>(async ({ data }, response) => {
  for (let n = 1; n <= data.to; n++) await response?.sendChunk(n);
  return data.to;
});

export const trace = onCall(({ rawRequest }) => rawRequest.get('traceparent') ?? null);

export const pid = onCall(() => process.pid);

/** Waits until nobody waits for its answer any more. */
async function outstay(
  { data: { id } }: CallableRequest<{ id: string }>,
  response?: CallableResponse<string>,
) {
  const left = new Promise((resolve) => response?.signal.addEventListener('abort', resolve));
  await response?.sendChunk('waiting');
  await log('waiting', { id });
  await left;
  await log('left', { id });
}
export const patient = onCall(outstay);
export const impatient = onCall({ timeoutSeconds: 2 }, outstay);

export const group = { inner: onCall(() => 'inner') };
