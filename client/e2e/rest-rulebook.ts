/** Puts rulebooks in, and versions of their text, by REST alone. */

import type { Block } from '../src/core/book/document/schema.ts';
import { stepsOf } from '../src/core/book/prose/steps.ts';
import { encodeFields } from '../src/core/testing/wire-value.ts';
import type { RestUser } from './rest-user.ts';
import { PROJECT } from './server.ts';

const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

interface Written {
  readonly path: string;
  readonly fields: object;
  /** True if it says when it was written. */
  readonly timed?: true;
}

/** Whole numbers are counts: the rules ask for those. */
const withCounts = (fields: object): object => ({
  ...encodeFields(fields),
  ...Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => Number.isInteger(value))
      .map(([key, value]) => [key, { integerValue: String(value) }]),
  ),
});

/** Commits documents together, as the application does. @throws when the server refuses them */
export async function commitDocuments(user: RestUser, documents: readonly Written[]): Promise<void> {
  const writes = documents.map(({ path, fields, timed }) => ({
    update: { name: `${ROOT}/${path}`, fields: withCounts(fields) },
    ...(timed && { updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }] }),
  }));
  const reply = await user.post(`/v1/${ROOT}:commit`, { writes });
  if (reply['error'] !== undefined) throw new Error(JSON.stringify(reply['error']));
}

/** A paragraph of a rulebook. */
export const paragraph = (id: string, words: string): Block =>
  ({ id, type: 'paragraph', content: [{ type: 'text', text: words, marks: [] }] }) as unknown as Block;

/** Ids of a rulebook's steps and versions. */
export const numbered = (number: number): string => String(number).padStart(9, '0');

/** A rulebook of a project, with its text. */
export async function putRulebook(
  user: RestUser,
  project: string,
  { id, title, blocks }: { readonly id: string; readonly title: string; readonly blocks: readonly Block[] },
): Promise<void> {
  const path = `projects/${project}/rulebooks/${id}`;
  const steps = stepsOf(blocks);
  await commitDocuments(user, [
    {
      path,
      fields: { title, language: 'en-gb', format: 'a5', style: 'chronicle', order: 0, head: steps.length },
    },
    ...steps.map((s, at) => ({
      path: `${path}/steps/${numbered(at + 1)}`,
      fields: { client: 'test', by: user.uid, s },
      timed: true as const,
    })),
  ]);
}
