import { doc, serverTimestamp, setDoc } from '@sdk/firestore';
import { useMemo } from 'react';
import * as z from 'zod';
import { valueFingerprint } from '../core/imposition/job/fingerprint.ts';
import { type Mark, type Marks, readMark, writeMark } from '../core/learning/leitner.ts';
import { bareRecord, own } from '../core/records.ts';
import { useUser } from './account/session.ts';
import type { Card, WithId } from './documents/documents.ts';
import { learningPath } from './project/addresses.ts';
import { getDb } from './server/database.ts';
import { useLiveDocument } from './server/live.ts';

/**
 * Knowledge of a component's cards, and the cards that one has read. It is kept for the account alone, at
 * `users/{uid}/learning/{component}`: others learn on their own. Fields by the cards' ids are merged, so that two windows,
 * or one without a network, lose nothing.
 */
const texts = z.record(z.string(), z.string()).catch({}).default({});
const NO_ZONES: readonly string[] = [];
const learningSchema = z.object({
  boxes: texts,
  read: texts,
  hidden: z.array(z.string()).readonly().catch(NO_ZONES).default(NO_ZONES),
});

/** A fingerprint of a card's texts, so that a card that changed is to be read again. */
export const cardMark = ({ cells }: Pick<Card, 'cells'>): string =>
  valueFingerprint(Object.entries(cells).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Things learnt and read of a component, and the calls that add to them. */
export interface Learning {
  readonly loaded: boolean;
  readonly error: Error | null;
  readonly marks: Marks;
  /** True if the card was read as it is now. */
  readonly hasRead: (card: WithId<Card>) => boolean;
  /** Ids of the layouts' zones that stay covered until a card is turned. */
  readonly hidden: readonly string[];
  readonly hide: (zones: readonly string[]) => Promise<void>;
  /** Notes an answer by the mark that the card has after it. */
  readonly answer: (card: string, mark: Mark) => Promise<void>;
  /** Notes that the card is right as it is, or takes that back. */
  readonly noteRead: (card: WithId<Card>, right: boolean) => Promise<void>;
}

/** One's learning of a component, kept up to date. */
export function useLearning(component: string): Learning {
  const { uid } = useUser();
  const ref = useMemo(() => doc(getDb(), ...learningPath(uid, component)), [uid, component]);
  const { data, error } = useLiveDocument(ref, learningSchema);
  return useMemo(() => {
    const marks = bareRecord(
      Object.entries(data?.boxes ?? {}).flatMap(([id, text]): [string, Mark][] => {
        const mark = readMark(text);
        return mark ? [[id, mark]] : [];
      }),
    );
    const put = (fields: object) => setDoc(ref, { ...fields, updatedAt: serverTimestamp() }, { merge: true });
    return {
      loaded: data !== undefined,
      error,
      marks,
      hidden: data?.hidden ?? NO_ZONES,
      hide: (hidden) => put({ hidden }),
      hasRead: (card) => own(data?.read ?? {}, card.id) === cardMark(card),
      answer: (card, mark) => put({ boxes: { [card]: writeMark(mark) } }),
      noteRead: (card, right) => put({ read: { [card.id]: right ? cardMark(card) : '' } }),
    };
  }, [ref, data, error]);
}
