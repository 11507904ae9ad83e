/**
 * What lies on paper. Each print notes how every printed card looked, as a fingerprint; a card has
 * changed when the newest note of it, up to a chosen run, says otherwise.
 */

export interface PrintRun {
  /** 1 is the first. */
  readonly number: number;
  /** Fingerprint by id of the card. */
  readonly marks: ReadonlyMap<string, string>;
}

/** How cards looked when they were last printed, up to and with a run. */
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
