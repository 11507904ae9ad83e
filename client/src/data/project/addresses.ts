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

/** Collection group of all projects. */
export const PROJECT_GROUP = 'decks';
/** Collection group of all invitations. */
export const INVITATION_GROUP = 'invitations';

/** Collection of the projects of an account. */
export const projectsPath = (owner: string): Path => ['users', owner, PROJECT_GROUP];
/** A project's own document, or a part of the project. */
export const projectPath = ({ owner, id }: ProjectName, ...part: readonly string[]): Path => [
  ...projectsPath(owner),
  id,
  ...part,
];

/** Collection of the layouts that an account's projects use. */
export const layoutsPath = (owner: string): Path => ['users', owner, 'layouts'];
/** Collection of the images of an account's library, and the folder of their files. */
export const imagesPath = (owner: string): Path => ['users', owner, 'images'];
/** Folder of the font files of an account. */
export const fontFolder = (owner: string): string => `users/${owner}/fonts`;

/** Folder of a new export among the files. It lies with whoever makes it, and goes when the project's files go. */
export const exportFolder = (maker: string, project: string): string =>
  ['users', maker, PROJECT_GROUP, project, 'exports', crypto.randomUUID()].join('/');

/** Name of the project that a document's path names. */
export function projectNameOf(path: string): ProjectName {
  const [, owner = '', , id = ''] = path.split('/');
  return { id, owner };
}
