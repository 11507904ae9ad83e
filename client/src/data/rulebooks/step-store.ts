import {
  doc,
  documentId,
  onSnapshot,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  startAfter,
} from '@sdk/firestore';
import { sessionUser } from '../account/session.ts';
import { readDocument, rulebookSchema, rulebookStepSchema } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { changeBegins } from '../versions/daily.ts';
import { numbered } from './numbered.ts';

/** A step as it is stored. */
export interface StoredStep {
  /** From 1, without gaps. */
  readonly number: number;
  /** The window it comes from. */
  readonly client: string;
  /** Account that made it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** The steps of one rulebook. */
export interface StepStore {
  /** Calls back with the steps after one, in order and without gaps, and again whenever there are more. */
  follow(
    after: number,
    take: (steps: readonly StoredStep[]) => void,
    fail: (error: Error) => void,
  ): () => void;
  /** Adds a step with this number; `false` if the number is taken. */
  append(number: number, client: string, text: string): Promise<boolean>;
}

/** The steps of a rulebook in its project. */
export function projectSteps(project: Project, rulebook: string): StepStore {
  const steps = project.rulebookSteps(rulebook);
  return {
    follow(after, take, fail) {
      let known = after;
      return onSnapshot(
        query(steps, orderBy(documentId()), startAfter(numbered(after))),
        ({ docs }) => {
          const fresh: StoredStep[] = [];
          for (const found of docs) {
            if (Number(found.id) !== known + 1) continue;
            known++;
            const { client, by, at, s } = readDocument(rulebookStepSchema, found.ref.path, found.data());
            fresh.push({ number: known, client, by, at, text: s });
          }
          if (fresh.length > 0) take(fresh);
        },
        fail,
      );
    },
    async append(number, client, text) {
      changeBegins(project.id);
      const ref = doc(steps, numbered(number));
      const book = project.rulebook(rulebook);
      return runTransaction(project.db, async (transaction) => {
        const [stored, step] = [await transaction.get(book), await transaction.get(ref)];
        if (!stored.exists()) throw new Error('The rulebook has been deleted.');
        if (step.exists()) return false;
        const { head } = readDocument(rulebookSchema, book.path, stored.data());
        transaction.set(ref, { client, by: sessionUser()?.uid ?? '', at: serverTimestamp(), s: text });
        if (head < number) transaction.update(book, { head: number, updatedAt: serverTimestamp() });
        return true;
      });
    },
  };
}
