import { serverTimestamp, updateDoc } from '@sdk/firestore';
import { cutText } from '../../core/text/cut-text.ts';
import {
  MAX_TAG_LENGTH,
  MAX_TAGS,
  type ProjectDocument,
  TRASH_DAYS,
  type WithId,
} from '../documents/documents.ts';
import type { Project } from './open-project.ts';
import { deleteProject } from './project-contents.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Fields of the project form. */
export type ProjectDetails = Pick<ProjectDocument, 'name' | 'description' | 'tags' | 'coverColor' | 'cover'>;

/** Changes what a project says of itself. */
export function describeProject(project: Project, details: Partial<ProjectDetails>): Promise<void> {
  return updateDoc(project.details, { ...details, updatedAt: serverTimestamp() });
}

/** Puts a project away, or back among the others. When it last changed stays as it was. */
export function archiveProject(project: Project, archived: boolean): Promise<void> {
  return updateDoc(project.details, { archived });
}

/** Puts a project in the trash, or takes it out. */
export function trashProject(project: Project, trashed: boolean): Promise<void> {
  return updateDoc(project.details, { trashedAt: trashed ? serverTimestamp() : null });
}

/** True if a project has been in the trash for longer than `TRASH_DAYS`. */
export function isOverdue({ trashedAt }: Pick<ProjectDocument, 'trashedAt'>, now: number): boolean {
  return trashedAt > 0 && now - trashedAt > TRASH_DAYS * DAY_MS;
}

/** Whole days until a project in the trash may go. */
export function daysLeft({ trashedAt }: Pick<ProjectDocument, 'trashedAt'>, now: number): number {
  return Math.max(0, Math.ceil((trashedAt + TRASH_DAYS * DAY_MS - now) / DAY_MS));
}

/** Deletes projects for good, one after the other; answers how many went before one could not. */
export async function purge(projects: readonly WithId<ProjectDocument>[]): Promise<number> {
  let gone = 0;
  for (const project of projects) {
    await deleteProject(project);
    gone++;
  }
  return gone;
}

/** Tags as they are typed, with commas between: each once, trimmed, whatever its letters' case. */
export function readTags(text: string): string[] {
  const seen = new Map<string, string>();
  for (const part of text.split(',')) {
    const tag = cutText(part.trim().replace(/\s+/g, ' '), MAX_TAG_LENGTH);
    if (tag && !seen.has(tag.toLowerCase())) seen.set(tag.toLowerCase(), tag);
  }
  return [...seen.values()].slice(0, MAX_TAGS);
}
