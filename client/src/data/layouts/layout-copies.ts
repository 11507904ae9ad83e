import { mergeLayouts } from '../../core/scene/changes/merge.ts';
import { sameDocument } from '../../core/scene/changes/same-document.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { LayoutDocument, WithId } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { commitLayout } from '../project/project-contents.ts';
import { keepVersion, setFollowed } from './layouts.ts';

/** A project's layout that follows one of the user's library. */
export interface LayoutCopy {
  readonly project: Project;
  /** Name of the project. */
  readonly title: string;
  readonly layout: WithId<LayoutDocument>;
}

/** The copies that lack changes of a layout of `owner`'s library. */
export const outdatedCopies = <T extends Pick<LayoutCopy, 'layout'>>(
  owner: string,
  { id, scene }: WithId<LayoutDocument>,
  copies: readonly T[],
): readonly T[] =>
  copies.filter(
    ({ layout: { follows } }) =>
      follows?.library === owner && follows.layout === id && !sameDocument(follows.scene, scene),
  );

/** A copy with the changes of the layout that it follows. What was changed in the copy stays, and so does its name. */
export function withChanges({ scene, follows }: LayoutDocument, original: Layout): Layout {
  if (!follows) return scene;
  return { ...mergeLayouts(follows.scene, scene, original, 'mine'), name: scene.name };
}

/** Takes the changes of the layout that it follows over into a copy. Its state before is kept as a version. */
export async function updateCopy({ project, layout }: LayoutCopy, original: Layout): Promise<void> {
  const ref = project.layout(layout.id);
  await keepVersion(ref, layout.scene, 'Before changes of the library');
  await commitLayout(ref, (stored) => withChanges(stored, original), project);
  const { follows } = layout;
  if (follows) await setFollowed(ref, { ...follows, scene: original });
}
