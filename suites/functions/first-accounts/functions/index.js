// Functions of the first generation that are asked before accounts come and sign in. A project has one of each kind, and
// the sample's are of the second generation.
const { auth, region } = require('firebase-functions/v1');

exports.gate = auth.user().beforeCreate((user, { eventType }) => {
  if (user.email.startsWith('blocked')) throw new auth.HttpsError('permission-denied', 'not you');
  return { displayName: `new ${user.email}`, customClaims: { gated: eventType } };
});

exports.door = region('europe-west1')
  .auth.user()
  .beforeSignIn((user, { eventType }) => {
    const { email, customClaims } = user;
    if (email.startsWith('barred')) throw new auth.HttpsError('resource-exhausted', 'no more today');
    if (email.startsWith('ended')) return { disabled: true };
    if (email.startsWith('renamed')) return { displayName: 'another', emailVerified: true };
    return { sessionClaims: { door: eventType, seen: customClaims?.gated ?? null } };
  });
