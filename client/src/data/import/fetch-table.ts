import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';
import { tableAddress } from './sheet-address.ts';

/** Longest wait for a table of another site, in milliseconds. */
const TIMEOUT_MS = 40_000;

/** Fetches a table's bytes through the server, which alone may read other sites. */
export async function fetchTable(address: string): Promise<Uint8Array> {
  const target = tableAddress(address);
  if (!target) throw new Error('This is no web address. Copy the whole link, beginning with https://.');
  const call = httpsCallable<{ url: string }, { data: string; contentType: string }>(
    getCallables(),
    'fetchTable',
    { timeout: TIMEOUT_MS },
  );
  const { data, contentType } = await call({ url: target.url }).then(
    (result) => result.data,
    (error: unknown) => {
      const { code, message } = error as { code?: unknown; message?: string };
      // This function's messages are meant for the user and say more than the code.
      const plain = message && !['functions/internal', 'functions/unauthenticated'].includes(String(code));
      throw plain ? new Error(message) : error;
    },
  );
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  // Sites that want a log-in answer with a page instead of the table.
  if (/^text\/html/i.test(contentType)) {
    throw new Error(
      'The address leads to a web page, not to a table. Share the sheet with everybody who has the link, or publish it as CSV.',
    );
  }
  return bytes;
}
