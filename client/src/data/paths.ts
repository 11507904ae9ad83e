import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import { getDb } from './database.ts';
import { ownerOfLayout, ownerOfProject } from './project-owner.ts';
import { sessionUser } from './session.ts';

function userPath(...segments: string[]): [string, ...string[]] {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  return ['users', user.uid, ...segments];
}

const col = (...segments: string[]): CollectionReference => {
  const [first, ...rest] = userPath(...segments);
  return collection(getDb(), first, ...rest);
};
const document = (...segments: string[]): DocumentReference => {
  const [first, ...rest] = userPath(...segments);
  return doc(getDb(), first, ...rest);
};

/** Path of a project's documents: under its owner, who may be somebody else. */
const ofProject = (project: string, ...segments: string[]): [string, ...string[]] => {
  const owner = ownerOfProject(project);
  return owner ? ['users', owner, 'decks', project, ...segments] : userPath('decks', project, ...segments);
};
const projectCol = (project: string, ...segments: string[]): CollectionReference => {
  const [first, ...rest] = ofProject(project, ...segments);
  return collection(getDb(), first, ...rest);
};
const projectDoc = (project: string, ...segments: string[]): DocumentReference => {
  const [first, ...rest] = ofProject(project, ...segments);
  return doc(getDb(), first, ...rest);
};
const layoutDoc = (layout: string): DocumentReference => {
  const owner = ownerOfLayout(layout);
  return owner ? doc(getDb(), 'users', owner, 'layouts', layout) : document('layouts', layout);
};

/** Paths of all documents that the signed-in user works with. */
export const paths = {
  projects: () => col('decks'),
  project: (project: string) => projectDoc(project),
  components: (project: string) => projectCol(project, 'components'),
  component: (project: string, component: string) => projectDoc(project, 'components', component),
  cards: (project: string, component: string) => projectCol(project, 'components', component, 'cards'),
  card: (project: string, component: string, card: string) =>
    projectDoc(project, 'components', component, 'cards', card),
  printPresets: (project: string) => projectCol(project, 'printPresets'),
  printPreset: (project: string, preset: string) => projectDoc(project, 'printPresets', preset),
  printRuns: (project: string) => projectCol(project, 'printRuns'),
  presences: (project: string, component: string) => projectCol(project, 'components', component, 'presence'),
  presence: (project: string, component: string, session: string) =>
    projectDoc(project, 'components', component, 'presence', session),
  comments: (project: string) => projectCol(project, 'comments'),
  comment: (project: string, comment: string) => projectDoc(project, 'comments', comment),
  layouts: () => col('layouts'),
  layout: layoutDoc,
  /** Layouts of whoever owns the project. */
  layoutsBeside: (project: string) => {
    const owner = ownerOfProject(project);
    return owner ? collection(getDb(), 'users', owner, 'layouts') : col('layouts');
  },
  layoutVersions: (layout: string) => collection(layoutDoc(layout), 'versions'),
  layoutVersion: (layout: string, version: string) => doc(layoutDoc(layout), 'versions', version),
  ownLayout: (layout: string) => document('layouts', layout),
  ownProject: (project: string) => document('decks', project),
  invitations: (project: string) => projectCol(project, 'invitations'),
  invitation: (project: string, invitation: string) => projectDoc(project, 'invitations', invitation),
  /** Images of a project, as its members see them. */
  projectImages: (project: string) => projectCol(project, 'pictures'),
  projectImage: (project: string, image: string) => projectDoc(project, 'pictures', image),
  notes: (project: string) => projectDoc(project, 'notes', 'main'),
  sharedLayout: (uid: string, layout: string) => doc(getDb(), 'users', uid, 'layouts', layout),
};
