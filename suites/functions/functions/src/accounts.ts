/** Functions that are asked before accounts come and sign in. */

import { beforeUserCreated, beforeUserSignedIn, HttpsError } from 'firebase-functions/v2/identity';

export const gate = beforeUserCreated(({ data }) => {
  if (data?.email?.startsWith('blocked')) throw new HttpsError('permission-denied', 'not you');
  return { displayName: `new ${data?.email}`, customClaims: { gated: true } };
});

export const door = beforeUserSignedIn(({ data }) => ({ sessionClaims: { door: data?.email ?? 'nobody' } }));
