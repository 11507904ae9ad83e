import type { LayoutDocument, ProjectDocument, WithId } from '../../../data/documents/documents.ts';
import type { LayoutCopy } from '../../../data/layouts/layout-copies.ts';
import { editorAddress } from '../../../data/project/layout-address.ts';
import type { Layouts, Project } from '../../../data/project/open-project.ts';

/** Layouts that lie together: those of a project, or the user's own library. */
export interface Shelf {
  readonly source: Layouts;
  /** `undefined` for the library. */
  readonly project: Project | undefined;
  /** Of the project: its members see the layouts. */
  readonly details: WithId<ProjectDocument> | undefined;
  /** Name of the project. */
  readonly title: string;
  readonly mayEdit: boolean;
}

/** A layout where it lies. */
export interface Shelved {
  readonly shelf: Shelf;
  readonly layout: WithId<LayoutDocument>;
}

/** Copies of a library's layout that lack its changes. */
export interface Outdated {
  readonly outdated?: readonly LayoutCopy[];
}

/** Address of a layout's editor, from which the way back leads to the list of all layouts where `inList`. */
export const editorOf = (source: Layouts, layout: string, inList: boolean): string =>
  `${editorAddress(source.segment(layout))}${inList ? '/true' : ''}`;
