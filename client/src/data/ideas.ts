import {
  addDoc,
  type CollectionReference,
  collection,
  deleteDoc,
  doc,
  serverTimestamp,
  setDoc,
  updateDoc,
} from '@sdk/firestore';
import * as z from 'zod';
import { sessionUser } from './account/session.ts';
import type { WithId } from './documents/documents.ts';
import { timeSchema } from './documents/time-schema.ts';
import { ideasPath } from './project/addresses.ts';
import { getDb } from './server/database.ts';
import { type Live, type LiveList, useLiveList } from './server/live.ts';

/** Most ideas that an account keeps. */
export const MAX_IDEAS = 200;
/** Longest note on an idea, in characters. */
export const MAX_IDEA_NOTE = 2_000;

const ideaSchema = z.object({
  text: z.string(),
  note: z.string().catch('').default(''),
  createdAt: timeSchema,
});
export type KeptIdea = WithId<z.infer<typeof ideaSchema>>;

/** Ideas lie with the account that kept them. */
const ideasOf = (uid: string): CollectionReference => collection(getDb(), ...ideasPath(uid));

function ownIdeas(): CollectionReference {
  const uid = sessionUser()?.uid;
  if (uid === undefined) throw new Error('Keeping ideas needs a signed-in user.');
  return ideasOf(uid);
}

/** The ideas that somebody keeps. */
export const useKeptIdeas = (uid: string): Live<LiveList<z.infer<typeof ideaSchema>>> =>
  useLiveList(['ideas of', uid], ideasOf(uid), ideaSchema);

export async function keepIdea(text: string): Promise<void> {
  await addDoc(ownIdeas(), { text, note: '', createdAt: serverTimestamp() });
}

export function noteOnIdea(id: string, note: string): Promise<void> {
  return updateDoc(doc(ownIdeas(), id), { note });
}

export function forgetIdea(id: string): Promise<void> {
  return deleteDoc(doc(ownIdeas(), id));
}

/** Takes a deletion back. */
export function keepAgain({ id, text, note, createdAt }: KeptIdea): Promise<void> {
  return setDoc(doc(ownIdeas(), id), { text, note, createdAt: new Date(createdAt) });
}
