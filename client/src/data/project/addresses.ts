/**
 * Addresses of a project and its parts in the database and among the files. No other module spells these addresses, so
 * that moving the data changes this file alone. It is free of the SDK, because commands without a browser read it too.
 */

/** Name of a project: its id, and the account that owns it. */
export interface ProjectName {
  readonly id: string;
  /** Account id. */
  readonly owner: string;
}

/** Segments below the root of the database: an odd number names a collection, an even one a document. */
export type Path = [string, ...string[]];

/** Collection group of all invitations. */
export const INVITATION_GROUP = 'invitations';

/** Collection of all projects. Queries name a member. */
export const PROJECTS: Path = ['projects'];
/** A project's own document, or a part of the project. */
export const projectPath = (id: string, ...part: readonly string[]): Path => [...PROJECTS, id, ...part];

/** Collection of a project's layouts. */
export const layoutsPath = (project: string): Path => projectPath(project, 'layouts');
/** Collection of the layouts in an account's library. */
export const libraryLayoutsPath = (owner: string): Path => ['users', owner, 'library', 'layouts', 'items'];
/** Collection of the images of an account's library. */
export const libraryImagesPath = (owner: string): Path => ['users', owner, 'library', 'images', 'items'];
/** Folder of the files of an account's images. */
export const imageFolder = (owner: string): string => `users/${owner}/images`;
/** Collection of a project's images, and the folder of their files. */
export const projectImagesPath = (project: string): Path => projectPath(project, 'images');
/** Collection of the ideas that an account keeps. */
export const ideasPath = (owner: string): Path => ['users', owner, 'ideas'];
/** Document of the things that an account has learnt of a component. */
export const learningPath = (owner: string, component: string): Path => [
  'users',
  owner,
  'learning',
  component,
];
/** Folder of the font files of an account. */
export const fontFolder = (owner: string): string => `users/${owner}/fonts`;
/** Collection of a project's fonts, and the folder of their files. */
export const projectFontsPath = (project: string): Path => projectPath(project, 'fonts');

/** Folder of a new export among a project's files. It goes when the project goes. */
export const exportFolder = (maker: string, project: string): string =>
  [...projectPath(project), 'exports', maker, crypto.randomUUID()].join('/');

/** True for the folder of an export of a project. Documents name such folders, and people write documents. */
export function isExportFolder(folder: string, project: string): boolean {
  const [projects, id, exports, maker, name, ...rest] = folder.split('/');
  if (projects !== 'projects' || id !== project || exports !== 'exports') return false;
  return Boolean(maker && name) && rest.length === 0;
}
