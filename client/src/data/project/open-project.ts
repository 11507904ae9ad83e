import {
  type CollectionReference,
  collection,
  type DocumentReference,
  doc,
  type Firestore,
  getDocs,
  type Query,
  type QueryDocumentSnapshot,
  query,
  where,
} from '@sdk/firestore';
import { sessionUser } from '../account/session.ts';
import type { NamedPlace } from '../asset-copies.ts';
import type { Follows } from '../documents/documents.ts';
import { getDb, isInBrowser } from '../server/database.ts';
import { readOpenedId } from '../versions/opened.ts';
import {
  exportFolder,
  fontFolder,
  INVITATION_GROUP,
  layoutsPath,
  libraryLayoutsPath,
  PROJECTS,
  type ProjectName,
  projectFontsPath,
  projectImagesPath,
  projectPath,
} from './addresses.ts';
import { layoutSegment } from './layout-address.ts';

/** Layouts that belong together: a project's, or those of an account's library. */
export interface Layouts {
  /** Names them to functions of the server. */
  readonly place: NamedPlace;
  readonly layouts: CollectionReference;
  layout(id: string): DocumentReference;
  /** The part of an address that names one of them. */
  segment(id: string): string;
  /** Folder of the font files that they name. */
  readonly fontFolder: string;
  /** Document of a font of theirs; a library has none. */
  font?(id: string): DocumentReference;
}

/** The layout that one of `source` follows: beside it, in another project, or in a library. */
export function followedLayout(source: Layouts, { layout, project, library }: Follows): DocumentReference {
  const { firestore } = source.layouts;
  if (project !== undefined) return doc(firestore, ...layoutsPath(project), layout);
  if (library !== undefined) return doc(firestore, ...libraryLayoutsPath(library), layout);
  return source.layout(layout);
}

/**
 * Handle of a project: the only way to its documents and files. Whoever holds one knows neither where they lie nor
 * whose they are; rights are the server's to enforce.
 */
export interface Project extends ProjectName, Layouts {
  /** Database that holds the project. Batches and transactions of its documents begin with it. */
  readonly db: Firestore;
  /** The signed-in user owns it. An opened version is nobody's own. */
  readonly mine: boolean;
  /** It is a visitor's, and lies in this browser: no people, functions or files belong to it. */
  readonly inBrowser: boolean;
  /** Name, description, members and cover. */
  readonly details: DocumentReference;
  readonly notes: DocumentReference;
  readonly components: CollectionReference;
  component(id: string): DocumentReference;
  cards(component: string): CollectionReference;
  card(component: string, id: string): DocumentReference;
  /** Cursors of the windows that show a component. */
  presences(component: string): CollectionReference;
  /** Cursors of the windows that show a layout. */
  layoutPresences(layout: string): CollectionReference;
  readonly comments: CollectionReference;
  comment(id: string): DocumentReference;
  readonly printPresets: CollectionReference;
  printPreset(id: string): DocumentReference;
  readonly printRuns: CollectionReference;
  readonly rulebooks: CollectionReference;
  rulebook(id: string): DocumentReference;
  /** Steps that make its text, by number; see `data/rulebooks`. */
  rulebookSteps(rulebook: string): CollectionReference;
  rulebookVersions(rulebook: string): CollectionReference;
  /** Languages that it is translated into, and the parts of a translation. */
  rulebookLanguages(rulebook: string): CollectionReference;
  rulebookLanguage(rulebook: string, language: string): DocumentReference;
  translationParts(rulebook: string, language: string): CollectionReference;
  /** Languages that the cards are translated into, and the parts of a translation. */
  readonly languages: CollectionReference;
  language(tag: string): DocumentReference;
  languageParts(tag: string): CollectionReference;
  /** Cursors of the windows that show a rulebook. */
  rulebookPresences(rulebook: string): CollectionReference;
  /** Versions of the game; see `data/versions`. */
  readonly gameVersions: CollectionReference;
  gameVersion(id: string): DocumentReference;
  readonly invitations: CollectionReference;
  invitation(id: string): DocumentReference;
  /** Its own images. */
  readonly images: CollectionReference;
  image(id: string): DocumentReference;
  /** Its own fonts. */
  readonly fonts: CollectionReference;
  font(id: string): DocumentReference;
  /** Folder for the files of a new export. */
  newExportFolder(): string;
}

function userId(): string {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  return user.uid;
}

class StoredProject implements Project {
  readonly id: string;
  readonly owner: string;
  readonly mine: boolean;
  readonly db: Firestore;

  constructor({ id, owner }: ProjectName, db: Firestore) {
    this.id = id;
    this.owner = owner;
    this.mine = owner === sessionUser()?.uid && readOpenedId(id) === undefined;
    this.db = db;
  }

  #collection(...part: string[]): CollectionReference {
    return collection(this.db, ...projectPath(this.id, ...part));
  }
  #document(...part: string[]): DocumentReference {
    return doc(this.db, ...projectPath(this.id, ...part));
  }

  get inBrowser() {
    return isInBrowser(this.db);
  }
  get details() {
    return this.#document();
  }
  get notes() {
    return this.#document('notes', 'main');
  }
  get components() {
    return this.#collection('components');
  }
  component(id: string) {
    return this.#document('components', id);
  }
  cards(component: string) {
    return this.#collection('components', component, 'cards');
  }
  card(component: string, id: string) {
    return this.#document('components', component, 'cards', id);
  }
  presences(component: string) {
    return this.#collection('components', component, 'presence');
  }
  layoutPresences(layout: string) {
    return this.#collection('layouts', layout, 'presence');
  }
  get comments() {
    return this.#collection('comments');
  }
  comment(id: string) {
    return this.#document('comments', id);
  }
  get printPresets() {
    return this.#collection('printPresets');
  }
  printPreset(id: string) {
    return this.#document('printPresets', id);
  }
  get printRuns() {
    return this.#collection('printRuns');
  }
  get rulebooks() {
    return this.#collection('rulebooks');
  }
  rulebook(id: string) {
    return this.#document('rulebooks', id);
  }
  rulebookSteps(rulebook: string) {
    return this.#collection('rulebooks', rulebook, 'steps');
  }
  rulebookVersions(rulebook: string) {
    return this.#collection('rulebooks', rulebook, 'versions');
  }
  rulebookLanguages(rulebook: string) {
    return this.#collection('rulebooks', rulebook, 'languages');
  }
  rulebookLanguage(rulebook: string, language: string) {
    return this.#document('rulebooks', rulebook, 'languages', language);
  }
  translationParts(rulebook: string, language: string) {
    return this.#collection('rulebooks', rulebook, 'languages', language, 'parts');
  }
  get languages() {
    return this.#collection('languages');
  }
  language(tag: string) {
    return this.#document('languages', tag);
  }
  languageParts(tag: string) {
    return this.#collection('languages', tag, 'parts');
  }
  rulebookPresences(rulebook: string) {
    return this.#collection('rulebooks', rulebook, 'presence');
  }
  get gameVersions() {
    return this.#collection('gameVersions');
  }
  gameVersion(id: string) {
    return this.#document('gameVersions', id);
  }
  get invitations() {
    return this.#collection(INVITATION_GROUP);
  }
  invitation(id: string) {
    return this.#document(INVITATION_GROUP, id);
  }
  get images() {
    return collection(this.db, ...projectImagesPath(this.id));
  }
  image(id: string) {
    return doc(this.db, ...projectImagesPath(this.id), id);
  }
  get layouts() {
    return collection(this.db, ...layoutsPath(this.id));
  }
  layout(id: string) {
    return doc(this.db, ...layoutsPath(this.id), id);
  }
  segment(id: string) {
    return layoutSegment({ project: this.id, id });
  }
  get fonts() {
    return collection(this.db, ...projectFontsPath(this.id));
  }
  font(id: string) {
    return doc(this.db, ...projectFontsPath(this.id), id);
  }
  get place() {
    return { project: this.id };
  }
  get fontFolder() {
    return projectFontsPath(this.id).join('/');
  }
  newExportFolder() {
    return exportFolder(userId(), this.id);
  }
}

/** Opens a project by its name. Nothing is read. */
export function openProject(name: ProjectName, db: Firestore = getDb()): Project {
  return new StoredProject(name, db);
}

/** A project's own document, by which its owner is found. */
export const detailsOf = (id: string): DocumentReference => doc(getDb(), ...projectPath(id));

/** Opens a project of the signed-in user's own. */
export const openOwnProject = (id: string): Project => openProject({ id, owner: userId() });

/** Handle of a project that the signed-in user is about to make. */
export const newOwnProject = (): Project => openOwnProject(doc(collection(getDb(), ...PROJECTS)).id);

/** Fields of a new project that say whose it is. */
export function ownershipOf({ owner }: ProjectName) {
  return { owner, members: { [owner]: 'owner' }, memberIds: [owner] };
}

/** The projects that the signed-in user is a member of, their own among them. */
export const joinedProjects = (): Query =>
  query(collection(getDb(), ...PROJECTS), where('memberIds', 'array-contains', userId()));

/** The signed-in user's own projects, as they are now. */
export async function readOwnProjects(): Promise<QueryDocumentSnapshot[]> {
  const uid = userId();
  return (await getDocs(joinedProjects())).docs.filter((found) => found.data().owner === uid);
}

/** The layouts of an account's library. */
export interface Library extends Layouts {
  /** Account id. */
  readonly owner: string;
}

/** The library of an account, the signed-in user's own when none is named. */
export function openLibrary(owner: string = userId(), db: Firestore = getDb()): Library {
  const path = libraryLayoutsPath(owner);
  return {
    owner,
    place: { owner },
    get layouts() {
      return collection(db, ...path);
    },
    layout: (id) => doc(db, ...path, id),
    segment: (id) => layoutSegment({ id }),
    fontFolder: fontFolder(owner),
  };
}
