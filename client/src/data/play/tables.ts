import { collection, doc, limit, query, where } from '@sdk/firestore';
import { useMemo } from 'react';
import * as z from 'zod';
import type { GameBox } from '../../core/play/box/pack.ts';
import type { SetUp } from '../../core/play/box/set-up.ts';
import type { Act, SeatNo, ServerMessage } from '../../core/play/protocol/messages.ts';
import { freshToken, useUser } from '../account/session.ts';
import type { WithId } from '../documents/documents.ts';
import { timeSchema } from '../documents/time-schema.ts';
import { callFunction, getDb } from '../server/database.ts';
import { type Live, type LiveList, useLiveDocument, useLiveList } from '../server/live.ts';
import { callsTransport } from './calls.ts';
import { TableConnection } from './connection.ts';
import { socketTransport, socketUrl } from './socket.ts';
import type { Have } from './transport.ts';

/** Collection of the entries of tables in lists; the server alone writes it. */
const TABLES = 'playtests';
/** Most tables of one list. */
const MAX_LISTED = 200;

/** The entry of a table in lists: nothing that lies on it. */
export const tableSchema = z.object({
  name: z.string(),
  projectId: z.string(),
  /** Owner of the project. */
  ownerId: z.string(),
  openedBy: z.string().catch(''),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  status: z.enum(['open', 'ended']).catch('open'),
  playerIds: z.array(z.string()).catch([]),
  seats: z
    .record(z.string(), z.object({ name: z.string(), colour: z.number(), taken: z.boolean() }))
    .catch({}),
  /** The version of the project whose cards it has; nothing for the project as it was and is. */
  version: z.string().optional().catch(undefined),
  /** That version's name and number when the table was opened; automatic ones have no name. */
  versionName: z.string().optional().catch(undefined),
  versionNumber: z.number().optional().catch(undefined),
  /** The public link that shows the game again, and whether it shows all hands. */
  replay: z.object({ link: z.string(), hands: z.boolean() }).optional().catch(undefined),
});
export type ListedTable = WithId<z.infer<typeof tableSchema>>;

const tables = () => collection(getDb(), TABLES);

/** A table's entry in the lists. */
export const useListedTable = (table: string) => useLiveDocument(doc(tables(), table), tableSchema);

/** Tables of a project, newest first. Without a project nothing is asked. */
export function useProjectTables(project: string | undefined): Live<LiveList<z.infer<typeof tableSchema>>> {
  const found =
    project === undefined ? undefined : query(tables(), where('projectId', '==', project), limit(MAX_LISTED));
  const key = project === undefined ? undefined : ['tables of', project];
  const { data, error } = useLiveList(key, found, tableSchema);
  // The same list as long as nothing changed: effects follow it.
  return useMemo(() => newestFirst({ data, error }), [data, error]);
}

/** Tables of the user's own projects, and those the user sits at, newest first. */
export function useOwnTables(): Live<readonly ListedTable[]> {
  const { uid } = useUser();
  const owned = query(tables(), where('ownerId', '==', uid), limit(MAX_LISTED));
  const seated = query(tables(), where('playerIds', 'array-contains', uid), limit(MAX_LISTED));
  const mine = useLiveList(['tables owned by', uid], owned, tableSchema);
  const joined = useLiveList(['tables with', uid], seated, tableSchema);
  return useMemo(() => {
    const error = mine.error ?? joined.error;
    if (!mine.data || !joined.data) return { data: undefined, error };
    const all = new Map([...mine.data.items, ...joined.data.items].map((table) => [table.id, table]));
    return { data: [...all.values()].sort(byTime), error };
  }, [mine, joined]);
}

const byTime = (a: ListedTable, b: ListedTable) => b.createdAt - a.createdAt;

function newestFirst<T extends z.infer<typeof tableSchema>>({
  data,
  error,
}: Live<LiveList<T>>): Live<LiveList<T>> {
  return { data: data && { ...data, items: [...data.items].sort(byTime) }, error };
}

interface Messages {
  readonly messages: readonly ServerMessage[];
}

const from = (have: Have | undefined, seat: SeatNo | undefined) => ({
  ...(have && { have }),
  ...(seat !== undefined && { seat }),
});

const acted = async (
  table: string,
  act: Act,
  have?: Have,
  seat?: SeatNo,
): Promise<readonly ServerMessage[]> =>
  (await callFunction<Messages>('actAtTable', { table, act, ...from(have, seat) })).messages;

/** Name of the version whose cards a table has; nothing for one of the project as it is. */
export const versionOfTable = ({
  version,
  versionName,
  versionNumber,
}: Pick<ListedTable, 'version' | 'versionName' | 'versionNumber'>): string | undefined =>
  version === undefined ? undefined : versionName || `Version ${versionNumber ?? ''}`.trim();

/** A table that somebody wants to open. */
export interface NewTable {
  readonly project: string;
  /** The version of it that the box was packed of; such a table keeps its cards. */
  readonly version?: string | undefined;
  readonly name: string;
  readonly box: GameBox;
  readonly setUp: SetUp;
  /** The first is the opener's, as host. */
  readonly seats: readonly { readonly name: string; readonly colour: number }[];
}

/**
 * Opens a table, sets it up, and answers its id. A table that cannot be set up is deleted again.
 * @throws Error when the server refuses the table or a step of its set-up
 */
export async function openTable({ project, version, name, box, setUp, seats }: NewTable): Promise<string> {
  const data = { projectId: project, name, box, seats, ...(version !== undefined && { version }) };
  const { table } = await callFunction<{ table: string }>('openTable', data);
  try {
    await mustAct(table, { verb: 'edit', edit: { setup: { button: setUp } } });
    await mustAct(table, { verb: 'restore', to: 'setup' });
  } catch (error) {
    await deleteTable(table).catch(() => undefined);
    throw error;
  }
  return table;
}

async function mustAct(table: string, act: Act): Promise<void> {
  const refused = (await acted(table, act)).find((message) => 'no' in message);
  if (refused) throw new Error(refused.say);
}

/** Brings the project's cards to a table whose server packs none; answers whether anything was different. */
export const updateTable = async (table: string, box: GameBox): Promise<boolean> =>
  (await callFunction<{ changed: boolean }>('updateTable', { table, box })).changed;

/** Ends a table and deletes all of it. */
export const deleteTable = (table: string): Promise<unknown> => callFunction('deleteTable', { table });

/** A connection to a table as the signed-in user; it is not started yet. */
export function connectTo(table: string): TableConnection {
  return new TableConnection({
    socket: socketTransport(socketUrl(table, window.location), freshToken),
    calls: callsTransport(
      {
        view: async (have, seat) =>
          (await callFunction<Messages>('tableView', { table, ...from(have, seat) })).messages,
        act: (act, have, seat) => acted(table, act, have, seat),
      },
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ),
    token: freshToken,
    now: Date.now,
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
}
