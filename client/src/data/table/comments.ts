import { addDoc, deleteDoc, query, serverTimestamp, updateDoc, where } from '@sdk/firestore';
import { type CardComment, commentSchema, type WithId } from '../documents.ts';
import { useLiveList } from '../live.ts';
import { paths } from '../paths.ts';
import { nameInToken, sessionUser } from '../session.ts';

/** What people said about a component's cards, kept up to date. */
export const useComments = (deck: string, component: string) =>
  useLiveList(
    [paths.comments(deck).path, component],
    query(paths.comments(deck), where('component', '==', component)),
    commentSchema,
  );

/** Says something about a card, in the user's own name. */
export async function addComment(
  deck: string,
  comment: Pick<CardComment, 'component' | 'card' | 'text'>,
): Promise<void> {
  await addDoc(paths.comments(deck), {
    ...comment,
    authorId: sessionUser()?.uid ?? '',
    authorName: nameInToken(),
    createdAt: serverTimestamp(),
    resolved: false,
  });
}

/** Marks a comment as seen to, or takes the mark away. */
export function resolveComment(deck: string, comment: WithId<CardComment>, resolved: boolean): Promise<void> {
  return updateDoc(paths.comment(deck, comment.id), { resolved });
}

export function deleteComment(deck: string, comment: string): Promise<void> {
  return deleteDoc(paths.comment(deck, comment));
}
