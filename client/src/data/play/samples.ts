import { asPresent } from './present.ts';

/** A sample table that somebody came to. */
export interface JoinedSample {
  /** Name of its game. */
  readonly name: string;
  /** Milliseconds until it goes. */
  readonly lasts: number;
}

/**
 * Opens a table of the sample game, and answers its id.
 * @throws Error with the reason in words
 */
export const openSampleTable = async (): Promise<string> =>
  (await asPresent<{ table: string }>('openSampleTable', {})).table;

/**
 * Comes to a sample table and sits down, if a seat is free; without an account one is made for the table, and signed in.
 * @throws Error with the reason in words; see {@link isGone}
 */
export const joinSampleTable = (table: string): Promise<JoinedSample> =>
  asPresent<JoinedSample>('joinSampleTable', { table });

/** True if a sample table was not joined because its time is over. */
export const isGone = (error: unknown): boolean =>
  String((error as { code?: unknown }).code) === 'functions/not-found';
