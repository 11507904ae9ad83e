/** A user who talks to the server by REST alone: puts a project in faster than a browser does. */

import { encodeFields } from '../src/core/testing/wire-value.ts';
import { PROJECT } from './server.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

type Reply = Readonly<Record<string, unknown>>;

/** The documents of the server's database. */
export const DOCUMENTS = `projects/${PROJECT}/databases/(default)/documents`;

export class RestUser {
  private constructor(
    readonly origin: string,
    readonly uid: string,
    readonly token: string,
  ) {}

  /** A new account. */
  static signUp(origin: string, { email, password }: Credentials): Promise<RestUser> {
    return RestUser.#enter(origin, 'signUp', { email, password });
  }

  /** An account that is there. */
  static signIn(origin: string, { email, password }: Credentials): Promise<RestUser> {
    return RestUser.#enter(origin, 'signInWithPassword', { email, password });
  }

  static async #enter(origin: string, how: string, account: Credentials): Promise<RestUser> {
    const reply = await askAccounts(origin, how, { ...account, returnSecureToken: true });
    return new RestUser(origin, String(reply['localId']), String(reply['idToken']));
  }

  post(path: string, body: unknown): Promise<Reply> {
    return send(`${this.origin}${path}`, this.token, body);
  }

  /** The fields of a document of the project's database; undefined if it may not be read or is not there. */
  async read(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const reply = await fetch(`${this.origin}/v1/${DOCUMENTS}/${path}`, {
      headers,
    });
    if (!reply.ok) return undefined;
    const { fields } = (await reply.json()) as { fields?: object };
    return plainOf({ mapValue: { fields } }) as Readonly<Record<string, unknown>>;
  }

  /**
   * Sets documents: projects of the user's own and what lies below them by their path, others by their path below the
   * user's name. Projects come first, because who may write below them is said there.
   */
  async put(documents: Readonly<Record<string, object>>): Promise<void> {
    const ownership = { owner: this.uid, members: { [this.uid]: 'owner' }, memberIds: [this.uid] };
    const all = Object.entries(documents).map(([path, value]) => {
      const made = /^projects\/[^/]+$/.test(path);
      return {
        made,
        path: path.startsWith('projects/') ? path : `users/${this.uid}/${path}`,
        value: made ? { ...ownership, ...value } : value,
      };
    });
    for (const part of [all.filter(({ made }) => made), all.filter(({ made }) => !made)]) {
      if (part.length > 0) await this.#commit(part);
    }
  }

  async #commit(documents: readonly { readonly path: string; readonly value: object }[]): Promise<void> {
    const writes = documents.map(({ path, value }) => ({
      update: { name: `${DOCUMENTS}/${path}`, fields: encodeFields(value) },
    }));
    const reply = await this.post(`/v1/${DOCUMENTS}:commit`, { writes });
    if (reply['error'] !== undefined) throw new Error(JSON.stringify(reply['error']));
  }
}

/** Calls the server's API of accounts, as somebody who is not signed in there does: a token goes into the body. */
export async function askAccounts(origin: string, action: string, body: object): Promise<Reply> {
  const reply = await send(`${origin}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=x`, '', body);
  if ('error' in reply) throw new Error(`accounts:${action}: ${JSON.stringify(reply)}`);
  return reply;
}

async function send(url: string, token: string, body: unknown): Promise<Reply> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as Reply;
}

/** A value of the wire as plain JSON. */
export function plainOf(value: unknown): unknown {
  const [kind, held] = Object.entries(value as object)[0] ?? [];
  if (kind === 'mapValue') {
    const { fields = {} } = held as { fields?: object };
    return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, plainOf(one)]));
  }
  if (kind === 'arrayValue') return ((held as { values?: unknown[] }).values ?? []).map(plainOf);
  if (kind === 'integerValue' || kind === 'doubleValue') return Number(held);
  return held;
}
