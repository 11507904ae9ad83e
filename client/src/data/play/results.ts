import { doc, getDoc } from '@sdk/firestore';
import { useEffect, useMemo, useState } from 'react';
import * as z from 'zod';
import { type Game, summaryOf } from '../../core/play/results/statistics.ts';
import { getDb } from '../server/database.ts';
import { isRefusal } from '../server/messages.ts';
import { type ListedTable, useProjectTables, versionOfTable } from './tables.ts';

/** Games whose results are read: those that ended last. */
export const MAX_GAMES = 100;

const number = z.number().catch(0);

const statisticsSchema = z.object({
  begun: number,
  ended: number,
  ms: number,
  acts: number,
  rounds: number,
  shuffles: number,
  seats: z.array(
    z.object({
      seat: z.number(),
      name: z.string(),
      turns: number,
      ms: number,
      acts: number,
      won: z.boolean().catch(false),
      points: z.number().nullable().catch(null),
    }),
  ),
  first: z.number().nullable().catch(null),
  dice: z.array(z.object({ sides: z.number(), counts: z.array(z.number()) })),
  cards: z.array(
    z.object({
      component: z.string(),
      cards: z.array(z.string()),
      version: z.string(),
      pieces: number,
      drawn: number,
      played: number,
      discarded: number,
      held: number,
      won: number,
      held_ms: number,
    }),
  ),
});

const resultSchema = z.object({
  statistics: z.string().transform((text, context) => {
    try {
      const read = statisticsSchema.safeParse(JSON.parse(text));
      if (read.success) return read.data;
    } catch {
      // Said below.
    }
    context.addIssue('The statistics cannot be read.');
    return z.NEVER;
  }),
});

const known = new Map<string, Promise<Game | undefined>>();

/** The result of an ended game, which never changes; undefined while there is none, or where it cannot be read. */
function readResult(table: ListedTable): Promise<Game | undefined> {
  const { id, name, version } = table;
  const reading = known.get(id);
  if (reading) return reading;
  const read = getDoc(doc(getDb(), 'playtests', id, 'result', 'game')).then((found) => {
    const result = resultSchema.safeParse(found.data());
    if (!result.success) {
      // The server may be writing it.
      known.delete(id);
      return undefined;
    }
    const of = versionOfTable(table);
    return {
      ...{ table: id, name, statistics: result.data.statistics },
      ...(version !== undefined && of !== undefined && { version: { id: version, name: of } }),
    };
  });
  known.set(id, read);
  read.catch(() => known.delete(id));
  return read;
}

export interface Results {
  readonly games: readonly Game[] | undefined;
  readonly error: unknown;
  /** Games that ended before those that were read. */
  readonly older: number;
}

/** Results of a project's ended games, newest first, for those who see the project. */
export function useResults(project: string | undefined): Results {
  const { data, error } = useProjectTables(project);
  const [games, setGames] = useState<readonly Game[]>();
  const [failure, setFailure] = useState<unknown>();
  const ended = useMemo(() => data?.items.filter(({ status }) => status === 'ended'), [data]);
  useEffect(() => {
    if (!ended) return;
    let current = true;
    Promise.all(ended.slice(0, MAX_GAMES).map(readResult)).then(
      (found) => current && setGames(found.filter((game) => game !== undefined)),
      (reason: unknown) => current && setFailure(reason),
    );
    return () => {
      current = false;
    };
  }, [ended]);
  const reason = error ?? failure;
  return {
    games: isRefusal(reason) ? [] : games,
    error: isRefusal(reason) ? undefined : reason,
    older: Math.max(0, (ended?.length ?? 0) - MAX_GAMES),
  };
}

/** Results by card, for the table of a component; without a project nothing. */
export function useCardResults(project: string | undefined, component: string) {
  const { games } = useResults(project);
  return useMemo(() => {
    if (project === undefined) return undefined;
    const cards = summaryOf(games ?? []).cards.filter((one) => one.component === component);
    return new Map(cards.map((card) => [card.card, card]));
  }, [project, games, component]);
}
