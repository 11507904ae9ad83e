/** The feedback form of a project, answers to it, and what they come to together. */

/** Limits of the server (`functions-host/src/product/tables/feedback/form.rs`). */
export const MAX_QUESTIONS = 12;
export const MAX_QUESTION = 200;
export const MAX_CHOICES = 8;
export const MAX_CHOICE = 80;
export const MAX_WORDS = 2_000;
export const MAX_PICKED = 20;
/** Steps of a scale. */
export const STEPS = 5;

export type Question = { readonly ask: string } & (
  | { readonly kind: 'scale'; readonly low: string; readonly high: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'cards' }
);
export type QuestionKind = Question['kind'];

/** A step of a scale, words or a choice, names of cards; null for none. */
export type Answer = number | string | readonly string[] | null;

/** The answers of somebody, each with its question as it was then. */
export interface Given {
  readonly table: string;
  /** Name of the table. */
  readonly name: string;
  /** Name of the version of the project that was played; nothing for the project as it was that day. */
  readonly version?: string | undefined;
  readonly by: string;
  readonly at: number;
  readonly answers: readonly (Question & { readonly answer: Answer })[];
}

/** Somebody's words. */
export interface Words {
  readonly by: string;
  /** The version that was played. */
  readonly version?: string | undefined;
  readonly text: string;
}

type OneAnswer = Pick<Given, 'by' | 'version'> & { readonly answer: Answer };

/** Answers to one question. */
export type Summed = { readonly ask: string; readonly n: number } & (
  | {
      readonly kind: 'scale';
      readonly mean: number;
      readonly counts: readonly number[];
      readonly low: string;
      readonly high: string;
    }
  | { readonly kind: 'choice' | 'cards'; readonly counts: readonly (readonly [string, number])[] }
  | { readonly kind: 'text'; readonly words: readonly Words[] }
);

/** Answers to questions that have changed: those that are asked as before keep theirs. */
export function answersTo(
  questions: readonly Question[],
  before: readonly Question[],
  answers: readonly Answer[],
): readonly Answer[] {
  const known = new Map(before.map((question, at) => [JSON.stringify(question), answers[at] ?? null]));
  return questions.map((question) => known.get(JSON.stringify(question)) ?? null);
}

/** The questions of one kind and wording, in the order in which they were first met, newest answers first. */
export function summed(given: readonly Given[]): readonly Summed[] {
  const all = new Map<string, { question: Question; answers: OneAnswer[] }>();
  for (const { by, version, answers } of given) {
    for (const { answer, ...question } of answers) {
      const key = `${question.kind} ${question.ask}`;
      const known = all.get(key) ?? { question, answers: [] };
      all.set(key, known);
      if (answer !== null) known.answers.push({ by, ...(version !== undefined && { version }), answer });
    }
  }
  return [...all.values()].map(({ question, answers }) => sumOf(question, answers));
}

function sumOf(question: Question, answers: readonly OneAnswer[]): Summed {
  const { ask } = question;
  const n = answers.length;
  switch (question.kind) {
    case 'scale': {
      const counts = Array.from(
        { length: STEPS },
        (_, at) => answers.filter(({ answer }) => answer === at + 1).length,
      );
      const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0);
      const { low, high } = question;
      return { ask, n, kind: 'scale', mean: n === 0 ? 0 : sum / n, counts, low, high };
    }
    case 'choice': {
      const counts = new Map(question.choices.map((choice) => [choice, 0]));
      // Earlier answers may be choices that the question no longer offers.
      for (const { answer } of answers) {
        if (typeof answer === 'string') counts.set(answer, (counts.get(answer) ?? 0) + 1);
      }
      return { ask, n, kind: 'choice', counts: [...counts] };
    }
    case 'cards': {
      const counts = new Map<string, number>();
      for (const card of answers.flatMap(({ answer }) => (Array.isArray(answer) ? answer : []))) {
        counts.set(card, (counts.get(card) ?? 0) + 1);
      }
      return {
        ask,
        n,
        kind: 'cards',
        counts: [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])),
      };
    }
    default:
      return {
        ask,
        n,
        kind: 'text',
        words: answers.flatMap(({ answer, ...who }) =>
          typeof answer === 'string' ? [{ ...who, text: answer }] : [],
        ),
      };
  }
}

/** All answers as a table: a line for each person, a column for each question. */
export function feedbackTable(given: readonly Given[]): {
  readonly header: string[];
  readonly rows: string[][];
} {
  const asks = [...new Set(given.flatMap(({ answers }) => answers.map(({ ask }) => ask)))];
  const cellOf = (answer: Answer | undefined): string => {
    if (answer === null || answer === undefined) return '';
    return typeof answer === 'object' ? answer.join('; ') : String(answer);
  };
  // Nobody needs a column for versions that were never played.
  const ofVersions = given.some(({ version }) => version !== undefined);
  const rows = given.map(({ name, version = '', by, at, answers }) => [
    new Date(at).toISOString(),
    name,
    ...(ofVersions ? [version] : []),
    by,
    ...asks.map((ask) => cellOf(answers.find((one) => one.ask === ask)?.answer)),
  ]);
  return { header: ['At', 'Table', ...(ofVersions ? ['Version'] : []), 'By', ...asks], rows };
}
