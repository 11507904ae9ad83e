import { serverTimestamp, setDoc } from '@sdk/firestore';
import * as z from 'zod';
import { useLiveDocument } from './live.ts';
import { paths } from './paths.ts';

/** Longest notes of a project, in characters: they must fit a document with room to spare. */
export const MAX_NOTES_LENGTH = 200_000;

const notesSchema = z.object({ text: z.string() });

/** A project's notes, in Markdown; `null` while there are none. */
export const useNotes = (project: string) => useLiveDocument(paths.notes(project), notesSchema);

export function saveNotes(project: string, text: string): Promise<void> {
  return setDoc(paths.notes(project), { text, updatedAt: serverTimestamp() });
}
