import { addDoc, deleteDoc, query, serverTimestamp, updateDoc, where } from '@sdk/firestore';
import { type CardComment, commentSchema, type WithId } from '../documents.ts';
import { useLiveList } from '../live.ts';
import { paths } from '../paths.ts';
import { nameInToken, sessionUser } from '../session.ts';

/** Comments on a component's cards, updated live. */
export const useComments = (project: string, component: string) =>
  useLiveList(
    [paths.comments(project).path, component],
    query(paths.comments(project), where('component', '==', component)),
    commentSchema,
  );

/** Says something about a card, in the user's own name. */
export async function addComment(
  project: string,
  comment: Pick<CardComment, 'component' | 'card' | 'text'>,
): Promise<void> {
  await addDoc(paths.comments(project), {
    ...comment,
    authorId: sessionUser()?.uid ?? '',
    authorName: nameInToken(),
    createdAt: serverTimestamp(),
    resolved: false,
  });
}

/** Marks a comment as seen to, or takes the mark away. */
export function resolveComment(
  project: string,
  comment: WithId<CardComment>,
  resolved: boolean,
): Promise<void> {
  return updateDoc(paths.comment(project, comment.id), { resolved });
}

export function deleteComment(project: string, comment: string): Promise<void> {
  return deleteDoc(paths.comment(project, comment));
}
