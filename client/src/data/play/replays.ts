import { doc, getDoc } from '@sdk/firestore';
import * as z from 'zod';
import { parseReplay, type Replay } from '../../core/play/replay/replay.ts';
import { readDocument } from '../documents/documents.ts';
import { edits, roleOf } from '../project/members.ts';
import { SHARES } from '../rulebooks/shares.ts';
import { callFunction, getDb } from '../server/database.ts';
import { isAborted, isMissing, isRefusal } from '../server/messages.ts';

/** Most parts of a replay: the server stores no longer one. */
const MAX_PARTS = 64;

/** Attempts to read a replay that is published anew meanwhile. */
const MAX_ATTEMPTS = 3;

/** Path of the page that shows the replay at a link. */
export const replayAddress = (link: string): string => `/replay/${link}`;

/** True if something is published at a link, and links are open. */
async function isPublished(link: string): Promise<boolean> {
  // Anything else is no id of a document.
  if (!/^[A-Za-z0-9]+$/.test(link)) return false;
  try {
    return (await getDoc(doc(getDb(), SHARES, link))).exists();
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

interface Part {
  readonly text: string;
  readonly parts: number;
  readonly version: number;
}

/** The text of the replay at a link, all of one version. @throws an error of the server, `aborted` for a newer version */
async function readText(link: string, signal: AbortSignal): Promise<string> {
  let text = '';
  let version: number | undefined;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const request = { link, part, ...(version !== undefined && { version }) };
    const found = await callFunction<Part>('readReplay', request);
    signal.throwIfAborted();
    ({ version } = found);
    text += found.text;
    if (part + 1 >= found.parts) break;
  }
  return text;
}

/** The replay at a link; `undefined` where nothing is published. @throws ReplayError when it cannot be read */
export async function readReplay(link: string, signal: AbortSignal): Promise<Replay | undefined> {
  if (!(await isPublished(link))) return undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return parseReplay(await readText(link, signal));
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isAborted(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Publishes a game that has ended, and answers the link. `hands` shows what each seat saw. */
export const publishReplay = async (table: string, hands: boolean): Promise<string> =>
  (await callFunction<{ link: string }>('publishReplay', { table, hands })).link;

/** Closes the link of a game: it leads nowhere from then on. */
export const closeReplay = (table: string): Promise<unknown> => callFunction('closeReplay', { table });

/** A table that is replayed, for those who may play on from it. */
export interface Forkable {
  readonly table: string;
  readonly owner: string;
}

const shareSchema = z.object({ of: z.string(), projectId: z.string() });
const projectSchema = z.object({ owner: z.string(), members: z.record(z.string(), z.string()) });

/** The table at a link, if the user is an owner or editor of its project. */
export async function forkableAt(link: string, uid: string): Promise<Forkable | undefined> {
  const share = doc(getDb(), SHARES, link);
  const shared = await getDoc(share);
  if (!shared.exists()) return undefined;
  const { of: table, projectId } = readDocument(shareSchema, share.path, shared.data());
  try {
    const project = await getDoc(doc(getDb(), 'projects', projectId));
    if (!project.exists()) return undefined;
    const { owner, members } = readDocument(projectSchema, project.ref.path, project.data());
    return edits(roleOf({ members }, uid)) ? { table, owner } : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Opens a table on which one plays on alone after an entry of another one, or as that is now, and answers its id. */
export const forkTable = async (table: string, n?: number): Promise<string> =>
  (await callFunction<{ table: string }>('forkTable', { table, ...(n !== undefined && { n }) })).table;
