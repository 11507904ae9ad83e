import { type DocumentData, getFirestore } from 'firebase-admin/firestore';

/** Notes what a function was given, where the tests look for it. */
export const log = (kind: string, entry: DocumentData) =>
  getFirestore()
    .collection('log')
    .add({ kind, ...entry });
