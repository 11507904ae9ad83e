import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import { getDb } from './database.ts';
import { ownerOfDeck, ownerOfLayout } from './deck-owner.ts';
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

/** Where everything of a project is: with its owner, who may be somebody else. */
const ofDeck = (deck: string, ...segments: string[]): [string, ...string[]] => {
  const owner = ownerOfDeck(deck);
  return owner ? ['users', owner, 'decks', deck, ...segments] : userPath('decks', deck, ...segments);
};
const deckCol = (deck: string, ...segments: string[]): CollectionReference => {
  const [first, ...rest] = ofDeck(deck, ...segments);
  return collection(getDb(), first, ...rest);
};
const deckDoc = (deck: string, ...segments: string[]): DocumentReference => {
  const [first, ...rest] = ofDeck(deck, ...segments);
  return doc(getDb(), first, ...rest);
};
const layoutDoc = (layout: string): DocumentReference => {
  const owner = ownerOfLayout(layout);
  return owner ? doc(getDb(), 'users', owner, 'layouts', layout) : document('layouts', layout);
};

/** Where everything is that the signed-in user works with. */
export const paths = {
  decks: () => col('decks'),
  deck: (deck: string) => deckDoc(deck),
  components: (deck: string) => deckCol(deck, 'components'),
  component: (deck: string, component: string) => deckDoc(deck, 'components', component),
  cards: (deck: string, component: string) => deckCol(deck, 'components', component, 'cards'),
  card: (deck: string, component: string, card: string) =>
    deckDoc(deck, 'components', component, 'cards', card),
  printPresets: (deck: string) => deckCol(deck, 'printPresets'),
  printPreset: (deck: string, preset: string) => deckDoc(deck, 'printPresets', preset),
  printRuns: (deck: string) => deckCol(deck, 'printRuns'),
  presences: (deck: string, component: string) => deckCol(deck, 'components', component, 'presence'),
  presence: (deck: string, component: string, session: string) =>
    deckDoc(deck, 'components', component, 'presence', session),
  comments: (deck: string) => deckCol(deck, 'comments'),
  comment: (deck: string, comment: string) => deckDoc(deck, 'comments', comment),
  layouts: () => col('layouts'),
  layout: layoutDoc,
  /** Layouts of whoever owns the project. */
  layoutsBeside: (deck: string) => {
    const owner = ownerOfDeck(deck);
    return owner ? collection(getDb(), 'users', owner, 'layouts') : col('layouts');
  },
  layoutVersions: (layout: string) => collection(layoutDoc(layout), 'versions'),
  layoutVersion: (layout: string, version: string) => doc(layoutDoc(layout), 'versions', version),
  ownLayout: (layout: string) => document('layouts', layout),
  ownDeck: (deck: string) => document('decks', deck),
  invitations: (deck: string) => deckCol(deck, 'invitations'),
  invitation: (deck: string, invitation: string) => deckDoc(deck, 'invitations', invitation),
  /** What members see of the pictures that a project shows. */
  pictures: (deck: string) => deckCol(deck, 'pictures'),
  picture: (deck: string, image: string) => deckDoc(deck, 'pictures', image),
  notes: (deck: string) => deckDoc(deck, 'notes', 'main'),
  sharedLayout: (uid: string, layout: string) => doc(getDb(), 'users', uid, 'layouts', layout),
};
