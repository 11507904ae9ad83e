import { orderBy, query } from '@sdk/firestore';
import { cardSchema, componentSchema, deckSchema, layoutDocumentSchema } from './documents.ts';
import { useLiveDocument, useLiveList } from './live.ts';
import { paths } from './paths.ts';

/** The user's projects, last changed first. */
export const useDecks = () =>
  useLiveList([paths.decks().path], query(paths.decks(), orderBy('updatedAt', 'desc')), deckSchema);

/** One project. */
export const useDeck = (deck: string) => useLiveDocument(paths.deck(deck), deckSchema);

/** A project's components in their order. */
export const useComponents = (deck: string) =>
  useLiveList(
    [paths.components(deck).path],
    query(paths.components(deck), orderBy('order')),
    componentSchema,
  );

/** A component's cards in their order. */
export const useCards = (deck: string, component: string) =>
  useLiveList(
    [paths.cards(deck, component).path],
    query(paths.cards(deck, component), orderBy('order')),
    cardSchema,
  );

/** The user's layouts, last changed first. */
export const useLayouts = () =>
  useLiveList(
    [paths.layouts().path],
    query(paths.layouts(), orderBy('updatedAt', 'desc')),
    layoutDocumentSchema,
  );

/** One layout. */
export const useLayout = (layout: string) => useLiveDocument(paths.layout(layout), layoutDocumentSchema);

/** A layout somebody else has shared. */
export const useSharedLayout = (uid: string, layout: string) =>
  useLiveDocument(paths.sharedLayout(uid, layout), layoutDocumentSchema);
