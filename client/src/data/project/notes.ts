import { serverTimestamp, setDoc } from '@sdk/firestore';
import * as z from 'zod';
import { useLiveDocument } from '../server/live.ts';
import type { Project } from './open-project.ts';

/** Longest notes of a project, in characters: they must fit a document with room to spare. */
export const MAX_NOTES_LENGTH = 200_000;

const notesSchema = z.object({ text: z.string() });

/** A project's notes, in Markdown; `null` while there are none. */
export const useNotes = (project: Project) => useLiveDocument(project.notes, notesSchema);

export function saveNotes(project: Project, text: string): Promise<void> {
  return setDoc(project.notes, { text, updatedAt: serverTimestamp() });
}
