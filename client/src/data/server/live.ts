import { type CollectionReference, type DocumentReference, onSnapshot, type Query } from '@sdk/firestore';
import {
  type QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type * as z from 'zod';
import { readDocument, type WithId } from '../documents/documents.ts';
import { type Unreadable, unreadable } from '../mend/unreadable.ts';

/** A live value: `undefined` until the first answer; `error` when the server refused. */
export interface Live<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

interface Subscription {
  users: number;
  stop: () => void;
}

/** Subscriptions by cache key, shared by all components that show the same. */
const running = new Map<string, Subscription>();

function hold(
  client: QueryClient,
  key: readonly unknown[],
  start: (set: (value: unknown) => void, fail: (error: Error) => void) => () => void,
): () => void {
  const id = JSON.stringify(key);
  let subscription = running.get(id);
  if (!subscription) {
    const stop = start(
      (value) => client.setQueryData(key, { value }),
      (error) => client.setQueryData(key, { error }),
    );
    subscription = { users: 0, stop };
    running.set(id, subscription);
  }
  subscription.users++;
  const held = subscription;
  return () => {
    held.users--;
    if (held.users > 0) return;
    held.stop();
    running.delete(id);
    // A refusal is no answer for later: who was refused may have been let in since.
    if (client.getQueryData<Entry>(key)?.error) client.removeQueries({ queryKey: key, exact: true });
  };
}

type Entry = { value: unknown; error?: undefined } | { error: Error; value?: undefined };

const NOTHING = ['nothing'] as const;

function useLive<T>(
  wanted: readonly unknown[] | undefined,
  start: (set: (value: unknown) => void, fail: (error: Error) => void) => () => void,
): Live<T> {
  const client = useQueryClient();
  const key = wanted ?? NOTHING;
  const id = JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that matters of `start`
  useEffect(() => (wanted ? hold(client, wanted, start) : undefined), [client, id]);
  // Never fetched: the subscription writes into the cache.
  const { data }: UseQueryResult<Entry> = useQuery<Entry>({
    queryKey: key,
    queryFn: () => new Promise<Entry>(() => undefined),
    enabled: false,
  });
  return { data: data?.value as T | undefined, error: data?.error ?? null };
}

/** A document, kept up to date; `null` when there is none. */
export function useLiveDocument<T>(ref: DocumentReference, schema: z.ZodType<T>): Live<WithId<T> | null> {
  return useLive(['document', ref.path], (set, fail) =>
    onSnapshot(
      ref,
      (snapshot) => {
        try {
          set(snapshot.exists() ? { ...readDocument(schema, ref.path, snapshot.data()), id: ref.id } : null);
        } catch (error) {
          fail(error as Error);
        }
      },
      fail,
    ),
  );
}

/** Items of a list, and those that could not be read. */
export interface LiveList<T> {
  readonly items: readonly WithId<T>[];
  /** Documents of an unknown shape; they are left out, never overwritten. */
  readonly unreadable: readonly Unreadable[];
}

const nothingMore = () => ({});

/**
 * A query's documents, kept up to date. `key` names the query in the cache; without a key or a query nothing is asked.
 * `more` is what a document's address says of it, for queries over several collections.
 */
export function useLiveList<T, M extends object = object>(
  key: readonly unknown[] | undefined,
  query: Query | undefined,
  schema: z.ZodType<T>,
  more: (path: string) => M = nothingMore as () => M,
): Live<LiveList<T & M>> {
  return useLive(query && key && ['list', ...key], (set, fail) =>
    query ? follow(query, schema, more, set, fail) : () => undefined,
  );
}

/** Tells of a query's documents whenever they change, until the answer is called. */
function follow<T, M extends object>(
  query: Query,
  schema: z.ZodType<T>,
  more: (path: string) => M,
  set: (value: LiveList<T & M>) => void,
  fail: (error: Error) => void,
): () => void {
  // Documents that did not change keep their identity, so that cards are not painted again.
  let known = new Map<
    string,
    { version: unknown; item: WithId<T & M> | undefined; problem: Unreadable | undefined }
  >();
  return onSnapshot(
    query,
    (snapshot) => {
      const next: typeof known = new Map();
      for (const doc of snapshot.docs) {
        const { path } = doc.ref;
        const old = known.get(path);
        if (old && old.version === doc) {
          next.set(path, old);
          continue;
        }
        try {
          next.set(path, {
            version: doc,
            item: { ...readDocument(schema, path, doc.data()), ...more(path), id: doc.id },
            problem: undefined,
          });
        } catch (error) {
          const problem = unreadable(error, doc.ref, doc.data(), schema);
          next.set(path, { version: doc, item: undefined, problem });
        }
      }
      known = next;
      const entries = [...next.values()];
      set({
        items: entries.flatMap(({ item }) => (item ? [item] : [])),
        unreadable: entries.flatMap(({ problem }) => (problem ? [problem] : [])),
      });
    },
    fail,
  );
}

/** The documents of several collections, kept up to date, in their order. */
export function useLiveLists<T>(
  collections: readonly CollectionReference[],
  schema: z.ZodType<T>,
): readonly Live<LiveList<T>>[] {
  const client = useQueryClient();
  const keys = collections.map(({ path }) => ['list', path]);
  const id = JSON.stringify(keys);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths say all that matters of the collections
  useEffect(() => {
    const stops = collections.map((collection) =>
      hold(client, ['list', collection.path], (set, fail) =>
        follow(collection, schema, nothingMore, set, fail),
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, id]);
  const results = useQueries({
    queries: keys.map((queryKey) => ({
      queryKey,
      queryFn: () => new Promise<Entry>(() => undefined),
      enabled: false,
    })),
  });
  return results.map(({ data }) => ({
    data: data?.value as LiveList<T> | undefined,
    error: data?.error ?? null,
  }));
}
