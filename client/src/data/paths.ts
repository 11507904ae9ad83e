import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import { getDb } from './database.ts';
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

/** Where everything of the signed-in user is. */
export const paths = {
  decks: () => col('decks'),
  deck: (deck: string) => document('decks', deck),
  components: (deck: string) => col('decks', deck, 'components'),
  component: (deck: string, component: string) => document('decks', deck, 'components', component),
  cards: (deck: string, component: string) => col('decks', deck, 'components', component, 'cards'),
  card: (deck: string, component: string, card: string) =>
    document('decks', deck, 'components', component, 'cards', card),
  printPresets: (deck: string) => col('decks', deck, 'printPresets'),
  printPreset: (deck: string, preset: string) => document('decks', deck, 'printPresets', preset),
  printRuns: (deck: string) => col('decks', deck, 'printRuns'),
  presences: (deck: string, component: string) => col('decks', deck, 'components', component, 'presence'),
  presence: (deck: string, component: string, session: string) =>
    document('decks', deck, 'components', component, 'presence', session),
  comments: (deck: string) => col('decks', deck, 'comments'),
  comment: (deck: string, comment: string) => document('decks', deck, 'comments', comment),
  layouts: () => col('layouts'),
  layout: (layout: string) => document('layouts', layout),
  sharedLayout: (uid: string, layout: string) => doc(getDb(), 'users', uid, 'layouts', layout),
};
