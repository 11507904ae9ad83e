import { addDoc, deleteDoc, query, serverTimestamp, updateDoc, where } from '@sdk/firestore';
import { nameInToken, sessionUser } from '../account/session.ts';
import { commentSchema, type Remark, type WithId } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { useLiveList } from '../server/live.ts';

/** Comments on a component's cards, updated live. */
export const useComments = (project: Project, component: string) =>
  useLiveList(
    [project.comments.path, component],
    query(project.comments, where('component', '==', component)),
    commentSchema,
  );

/** Comments on a rulebook's blocks, updated live. */
export const useRulebookComments = (project: Project, rulebook: string) =>
  useLiveList(
    [project.comments.path, 'rulebook', rulebook],
    query(project.comments, where('rulebook', '==', rulebook)),
    commentSchema,
  );

/** The thing that a comment is on. */
export type Commented = Pick<Remark, 'component' | 'card'> | Pick<Remark, 'rulebook' | 'block'>;

/** Says something about a card or a block, in the user's own name. */
export async function addComment(project: Project, comment: Commented & Pick<Remark, 'text'>): Promise<void> {
  await addDoc(project.comments, {
    ...comment,
    authorId: sessionUser()?.uid ?? '',
    authorName: nameInToken(),
    createdAt: serverTimestamp(),
    resolved: false,
  });
}

/** Marks a comment as seen to, or takes the mark away. */
export function resolveComment(project: Project, comment: WithId<Remark>, resolved: boolean): Promise<void> {
  return updateDoc(project.comment(comment.id), { resolved });
}

export function deleteComment(project: Project, comment: string): Promise<void> {
  return deleteDoc(project.comment(comment));
}
