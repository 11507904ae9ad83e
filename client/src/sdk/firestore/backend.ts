import type { LiveConnection } from './listen/connection.ts';

/** Carries out a database's calls in the server's place. */
export interface Backend {
  /** Answers a call as the server would. `resource` ends with the method: `:commit`, `:batchGet` or `:runQuery`. */
  post(resource: string, body: unknown): Promise<unknown>;
  readonly connection: LiveConnection;
}
