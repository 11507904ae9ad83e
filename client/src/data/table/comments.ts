import { addDoc, deleteDoc, query, serverTimestamp, updateDoc, where } from '@sdk/firestore';
import { type CardComment, commentSchema, type WithId } from '../documents.ts';
import { useLiveList } from '../live.ts';
import type { Project } from '../project/open-project.ts';
import { nameInToken, sessionUser } from '../session.ts';

/** Comments on a component's cards, updated live. */
export const useComments = (project: Project, component: string) =>
  useLiveList(
    [project.comments.path, component],
    query(project.comments, where('component', '==', component)),
    commentSchema,
  );

/** Says something about a card, in the user's own name. */
export async function addComment(
  project: Project,
  comment: Pick<CardComment, 'component' | 'card' | 'text'>,
): Promise<void> {
  await addDoc(project.comments, {
    ...comment,
    authorId: sessionUser()?.uid ?? '',
    authorName: nameInToken(),
    createdAt: serverTimestamp(),
    resolved: false,
  });
}

/** Marks a comment as seen to, or takes the mark away. */
export function resolveComment(
  project: Project,
  comment: WithId<CardComment>,
  resolved: boolean,
): Promise<void> {
  return updateDoc(project.comment(comment.id), { resolved });
}

export function deleteComment(project: Project, comment: string): Promise<void> {
  return deleteDoc(project.comment(comment));
}
