/**
 * Record of printed cards. Each run notes a fingerprint of every printed card; a card has changed when its newest
 * fingerprint, up to a chosen run, differs.
 */

export interface PrintRun {
  /** 1 is the first. */
  readonly number: number;
  /** Tag of the language that the cards were translated into; none for their own words. */
  readonly language?: string | undefined;
  /** Fingerprint by id of the card. */
  readonly marks: ReadonlyMap<string, string>;
}

/** The runs that were printed in a language; without one, in the cards' own words. */
export const runsIn = <R extends { readonly language?: string | undefined }>(
  runs: readonly R[],
  language: string | undefined,
): R[] => runs.filter((run) => run.language === language);

/** Fingerprints of cards when they were last printed, up to and including a run. */
export function onPaper(runs: readonly PrintRun[], upTo: number): Map<string, string> {
  const marks = new Map<string, string>();
  for (const run of [...runs].sort((a, b) => a.number - b.number)) {
    if (run.number > upTo) continue;
    for (const [card, mark] of run.marks) marks.set(card, mark);
  }
  return marks;
}

/** Ids of the cards that are new or look different, in their order. */
export function changedSince(
  runs: readonly PrintRun[],
  upTo: number,
  now: ReadonlyMap<string, string>,
): string[] {
  const paper = onPaper(runs, upTo);
  return [...now].filter(([card, mark]) => paper.get(card) !== mark).map(([card]) => card);
}

/** As stored: one line of text, so that a database does not index every card. */
export function writeMarks(marks: ReadonlyMap<string, string>): string {
  return [...marks].map(([card, mark]) => `${card}:${mark}`).join(' ');
}

export function readMarks(text: string): Map<string, string> {
  return new Map(
    text
      .split(' ')
      .map((entry) => entry.split(':'))
      .flatMap(([card, mark]): [string, string][] => (card && mark ? [[card, mark]] : [])),
  );
}
