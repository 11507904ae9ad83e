import type * as z from 'zod';
import { readDocument, UnreadableDocument, type WithId } from '../../data/documents/documents.ts';
import { exportFolder, type Path, PROJECTS } from '../../data/project/addresses.ts';

/** Reads a signed-in user's documents from a running server, over its own REST interface. */

/** Documents per request. */
const PAGE_SIZE = 300;
/** Most documents of one collection. */
const MAX_DOCUMENTS = 100_000;
/** Valid document ids. */
const DOCUMENT_ID = /^(?!\.{1,2}$)(?!__.*__$)[^/]{1,1500}$/s;

type WireValue = Readonly<Record<string, unknown>>;
interface WireDocument {
  readonly name: string;
  readonly fields?: Readonly<Record<string, WireValue>>;
}

/** The server's data cannot be read; the message is for the user of the command. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** HTTP status of the server's answer, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The documents of a collection. An unreadable document does not hide the others. */
export interface Listed<T> {
  readonly found: WithId<T>[];
  /** Errors of the other documents, each with its path. */
  readonly unreadable: readonly string[];
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The server's public configuration. */
interface Config {
  readonly projectId?: string;
  readonly apiKey?: string;
  readonly storageBucket?: string;
}

interface Session {
  readonly origin: string;
  readonly config: Config;
  readonly uid: string;
  readonly token: string;
  readonly fetcher: typeof fetch;
}

/** The user of a token; the server alone verifies it. */
function userOf(token: string): string {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims.sub === 'string' && claims.sub !== '') return claims.sub;
  } catch {
    // Reported below.
  }
  throw new StoreError('TUCKBOX_TOKEN is no ID token.');
}

export class RemoteStore {
  readonly #origin: string;
  readonly #project: string;
  readonly #root: string;
  readonly #uid: string;
  readonly #bucket: string;
  readonly #token: string;
  readonly #fetch: typeof fetch;

  private constructor({ origin, config, uid, token, fetcher }: Session) {
    this.#origin = origin;
    this.#project = config.projectId ?? '';
    this.#root = `projects/${config.projectId}/databases/(default)/documents`;
    this.#uid = uid;
    this.#bucket = config.storageBucket ?? '';
    this.#token = token;
    this.#fetch = fetcher;
  }

  /** @throws StoreError when the server does not answer or refuses the account */
  static async signIn(
    server: string,
    { email, password }: Credentials,
    fetcher: typeof fetch = fetch,
  ): Promise<RemoteStore> {
    const origin = server.replace(/\/+$/, '');
    const config = (await json(fetcher, `${origin}/__/firebase/init.json`)) as Config;
    const reply = (await json(
      fetcher,
      `${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${encodeURIComponent(config.apiKey ?? '')}`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password, returnSecureToken: true }),
      },
    )) as { idToken?: string; localId?: string };
    if (!reply.idToken || !reply.localId) throw new StoreError(`${origin} did not sign ${email} in.`);
    return new RemoteStore({ origin, config, uid: reply.localId, token: reply.idToken, fetcher });
  }

  /** Uses an ID token. @throws StoreError when the server does not answer or it is no token */
  static async withToken(server: string, token: string, fetcher: typeof fetch = fetch): Promise<RemoteStore> {
    const origin = server.replace(/\/+$/, '');
    const config = (await json(fetcher, `${origin}/__/firebase/init.json`)) as Config;
    return new RemoteStore({ origin, config, uid: userOf(token), token, fetcher });
  }

  /** Address of the server, for files that are named by their path on it. */
  get origin(): string {
    return this.#origin;
  }

  /** The signed-in account. */
  get uid(): string {
    return this.#uid;
  }

  /** All documents of a collection. */
  async list<T>(collection: Path, schema: z.ZodType<T>): Promise<Listed<T>> {
    const path = collection.join('/');
    const found: WithId<T>[] = [];
    const unreadable: string[] = [];
    let pageToken = '';
    do {
      const query = `pageSize=${PAGE_SIZE}${pageToken ? `&pageToken=${encodeURIComponent(pageToken)}` : ''}`;
      const page = (await this.#ask(`${this.#origin}/v1/${this.#root}/${encoded(collection)}?${query}`)) as {
        documents?: readonly WireDocument[];
        nextPageToken?: string;
      };
      const read = readAll(page.documents ?? [], path, schema);
      found.push(...read.found);
      unreadable.push(...read.unreadable);
      if (found.length + unreadable.length > MAX_DOCUMENTS)
        throw new StoreError(`${path} holds more than ${MAX_DOCUMENTS} documents.`);
      pageToken = page.nextPageToken ?? '';
    } while (pageToken !== '');
    return { found, unreadable };
  }

  /** Documents of a collection below a document, in the order of their ids or against it. */
  async byName(
    parent: Path,
    collection: string,
    { after, newestFirst, most }: { after: string | undefined; newestFirst: boolean; most: number },
  ): Promise<{ readonly id: string; readonly path: string; readonly fields: unknown }[]> {
    const path = parent.join('/');
    const structuredQuery = {
      from: [{ collectionId: collection }],
      orderBy: [{ field: { fieldPath: '__name__' }, direction: newestFirst ? 'DESCENDING' : 'ASCENDING' }],
      ...(after !== undefined && {
        startAt: {
          values: [{ referenceValue: `${this.#root}/${path}/${collection}/${after}` }],
          before: false,
        },
      }),
      limit: most,
    };
    const rows = await this.#query(`${this.#root}/${encoded(parent)}`, structuredQuery);
    return rows.map(({ name, fields }) => {
      const id = name.slice(name.lastIndexOf('/') + 1);
      return { id, path: `${path}/${collection}/${id}`, fields: decodeFields(fields ?? {}) };
    });
  }

  /** The projects that the user is a member of. */
  async listJoined<T>(schema: z.ZodType<T>): Promise<Listed<T>> {
    const structuredQuery = {
      from: [{ collectionId: PROJECTS.join('/') }],
      where: {
        fieldFilter: {
          field: { fieldPath: 'memberIds' },
          op: 'ARRAY_CONTAINS',
          value: { stringValue: this.#uid },
        },
      },
      limit: MAX_DOCUMENTS,
    };
    return readAll(await this.#query(this.#root, structuredQuery), PROJECTS.join('/'), schema);
  }

  async #query(parent: string, structuredQuery: object): Promise<WireDocument[]> {
    const rows = (await json(this.#fetch, `${this.#origin}/v1/${parent}:runQuery`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ structuredQuery }),
    })) as readonly { readonly document?: WireDocument }[];
    return rows.flatMap(({ document }) => document ?? []);
  }

  /**
   * One document of a collection.
   * @returns undefined when it does not exist or is not for this user
   * @throws UnreadableDocument naming its fault
   */
  async get<T>(collection: Path, id: string, schema: z.ZodType<T>): Promise<WithId<T> | undefined> {
    if (!DOCUMENT_ID.test(id)) return undefined;
    try {
      const url = `${this.#origin}/v1/${this.#root}/${encoded(collection)}/${encodeURIComponent(id)}`;
      const { fields } = (await this.#ask(url)) as WireDocument;
      return { ...readDocument(schema, `${collection.join('/')}/${id}`, decodeFields(fields ?? {})), id };
    } catch (error) {
      if (error instanceof StoreError && error.status !== undefined && error.status < 500) return undefined;
      throw error;
    }
  }

  /** Calls a function of the server. @throws StoreError with the server's words when it refuses */
  async call(name: string, data: object): Promise<unknown> {
    const url = `${this.#origin}/${this.#project}/us-central1/${name}`;
    const { result } = (await json(this.#fetch, url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data }),
    })) as { result?: unknown };
    return result;
  }

  /**
   * Stores a file with those of a project.
   * @returns its path on the server with the token that lets anybody fetch it
   */
  async storeExport(deck: string, name: string, bytes: Uint8Array): Promise<string> {
    const file = `${exportFolder(this.#uid, deck)}/${name}`;
    const root = `/v0/b/${encodeURIComponent(this.#bucket)}/o`;
    const stored = (await json(this.#fetch, `${this.#origin}${root}?name=${encodeURIComponent(file)}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': name.endsWith('.pdf') ? 'application/pdf' : 'application/zip',
      },
      body: bytes as Uint8Array<ArrayBuffer>,
    })) as { downloadTokens?: string };
    const [token = ''] = (stored.downloadTokens ?? '').split(',');
    return `${root}/${encodeURIComponent(file)}?alt=media&token=${encodeURIComponent(token)}`;
  }

  #ask(url: string): Promise<unknown> {
    return json(this.#fetch, url, { headers: { Authorization: `Bearer ${this.#token}` } });
  }
}

/** Documents of a collection; an unreadable one does not hide the others. */
function readAll<T>(documents: readonly WireDocument[], path: string, schema: z.ZodType<T>): Listed<T> {
  const found: WithId<T>[] = [];
  const unreadable: string[] = [];
  for (const { name, fields } of documents) {
    const id = name.slice(name.lastIndexOf('/') + 1);
    try {
      found.push({ ...readDocument(schema, `${path}/${id}`, decodeFields(fields ?? {})), id });
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      unreadable.push(error.message);
    }
  }
  return { found, unreadable };
}

/** A collection's path in an address. */
const encoded = (path: Path): string => path.map(encodeURIComponent).join('/');

async function json(fetcher: typeof fetch, url: string, init?: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetcher(url, init);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new StoreError(`${new URL(url).origin} does not answer (${cause}): is the server running there?`);
  }
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new StoreError(`${url} answered ${response.status}, and no JSON: is that a Tuckbox server?`);
  }
  if (response.ok) return body;
  const { error } = (Array.isArray(body) ? body[0] : body) as { error?: { message?: string } };
  const message = error?.message ?? '';
  if (/INVALID_LOGIN_CREDENTIALS|INVALID_PASSWORD|EMAIL_NOT_FOUND/.test(message)) {
    throw new StoreError('E-mail address or password is wrong.');
  }
  throw new StoreError(
    `The server answered ${response.status}: ${message || 'no reason given'}.`,
    response.status,
  );
}

/** Plain values of a document; times become milliseconds. */
function decodeFields(fields: Readonly<Record<string, WireValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, decodeValue(value)]));
}

function decodeValue(value: WireValue): unknown {
  if ('stringValue' in value) return value.stringValue;
  if ('integerValue' in value || 'doubleValue' in value) {
    return Number(value.integerValue ?? value.doubleValue);
  }
  if ('booleanValue' in value) return value.booleanValue;
  if ('timestampValue' in value) return Date.parse(String(value.timestampValue));
  if ('mapValue' in value) {
    return decodeFields((value.mapValue as { fields?: Record<string, WireValue> }).fields ?? {});
  }
  if ('arrayValue' in value) {
    return ((value.arrayValue as { values?: readonly WireValue[] }).values ?? []).map(decodeValue);
  }
  return null;
}
