import { collectionGroup, orderBy, query, where } from '@sdk/firestore';
import { useMemo } from 'react';
import { getDb } from './database.ts';
import { rememberOwner } from './deck-owner.ts';
import {
  cardSchema,
  componentSchema,
  type Deck,
  deckSchema,
  layoutDocumentSchema,
  type WithId,
} from './documents.ts';
import { type Live, type LiveList, useLiveDocument, useLiveList } from './live.ts';
import { paths } from './paths.ts';
import { useUser } from './session.ts';

/** All of the user's own projects, those in the trash too, last changed first. */
export const useAllDecks = () =>
  useLiveList([paths.decks().path], query(paths.decks(), orderBy('updatedAt', 'desc')), deckSchema);

/** The user's own projects but those in the trash, last changed first. */
export function useDecks(): Live<LiveList<Deck>> {
  const { data, error } = useAllDecks();
  return useMemo(
    () => ({
      data: data && { ...data, items: data.items.filter(({ trashedAt }) => trashedAt === 0) },
      error,
    }),
    [data, error],
  );
}

/** A project of somebody else's. */
export type SharedDeck = WithId<Deck> & { readonly owner: string };

/** Projects of others that the user is a member of. */
export function useSharedDecks(): Live<LiveList<Deck & { readonly owner: string }>> {
  const { uid } = useUser();
  return useLiveList(
    ['shared decks', uid],
    query(collectionGroup(getDb(), 'decks'), where('memberIds', 'array-contains', uid)),
    deckSchema,
    (path) => {
      const [, owner = '', , deck = ''] = path.split('/');
      rememberOwner(deck, owner);
      return { owner };
    },
  );
}

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
