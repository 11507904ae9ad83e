/** Functions that documents call. */

import { FieldValue, getFirestore } from 'firebase-admin/firestore';
import {
  onDocumentCreated,
  onDocumentCreatedWithAuthContext,
  onDocumentDeleted,
  onDocumentDeletedWithAuthContext,
  onDocumentUpdated,
  onDocumentUpdatedWithAuthContext,
  onDocumentWritten,
  onDocumentWrittenWithAuthContext,
} from 'firebase-functions/v2/firestore';
import { log } from './log';

export const created = onDocumentCreated('things/{id}', (event) =>
  log('created', { id: event.params.id, data: event.data?.data(), event: event.id }),
);

export const updated = onDocumentUpdated('things/{id}', (event) =>
  log('updated', { id: event.params.id, before: event.data?.before.data(), after: event.data?.after.data() }),
);

export const deleted = onDocumentDeleted('things/{id}', (event) =>
  log('deleted', { id: event.params.id, data: event.data?.data() }),
);

export const written = onDocumentWritten('things/{id}', (event) =>
  log('written', {
    id: event.params.id,
    exists: event.data?.after.exists,
    existed: event.data?.before.exists,
  }),
);

export const second = onDocumentCreated({ document: 'things/{id}', database: 'second' }, (event) =>
  log('second', { id: event.params.id, database: event.database }),
);

export const deep = onDocumentWritten('deep/{path=**}', (event) => log('deep', { path: event.params.path }));

/** Author of a change. */
type By = { authType: string; authId?: string };
const by = ({ authType, authId }: By) => ({ authType, authId: authId ?? null });

export const signed = onDocumentCreatedWithAuthContext('signed/{id}', (event) =>
  log('signed', { id: event.params.id, ...by(event) }),
);

export const resigned = onDocumentUpdatedWithAuthContext('signed/{id}', (event) =>
  log('resigned', { id: event.params.id, ...by(event) }),
);

export const unsigned = onDocumentDeletedWithAuthContext('signed/{id}', (event) =>
  log('unsigned', { id: event.params.id, ...by(event) }),
);

export const anySigned = onDocumentWrittenWithAuthContext('signed/{id}', (event) =>
  log('anySigned', { id: event.params.id, ...by(event) }),
);

export const ordered = onDocumentWritten('ordered/{id}', async (event) => {
  const steps = getFirestore().doc(`steps/${event.params.id}`);
  await steps.set({ seen: FieldValue.arrayUnion(event.data?.after.get('n')) }, { merge: true });
});

export const flaky = onDocumentCreated({ document: 'flaky/{id}', retry: true }, async (event) => {
  const tries = getFirestore().doc(`tries/${event.params.id}`);
  await tries.set({ n: FieldValue.increment(1) }, { merge: true });
  const n: number = (await tries.get()).get('n');
  if (n < event.data?.get('needed')) throw new Error(`try ${n} fails`);
});

export const doomed = onDocumentCreated('doomed/{id}', () => {
  throw new Error('the reason it failed');
});
