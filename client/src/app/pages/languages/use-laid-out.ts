import { useEffect, useRef, useState } from 'react';
import type { LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { describeError } from '../../../data/server/messages.ts';
import type { CardContents, CardLanguage } from '../../../data/translations/card-language.ts';
import { type LaidFinding, layOutLanguage } from './lay-out-language.ts';

/** Languages whose cards were laid out, and the work on others. */
export interface LaidOut {
  readonly found: ReadonlyMap<string, readonly LaidFinding[]>;
  /** Progress in words while cards are laid out. */
  readonly running: string | undefined;
  readonly failure: string | undefined;
  /** Lays the cards of languages out, one language after the other. */
  readonly check: (languages: readonly CardLanguage[]) => void;
}

/** Lays cards out when somebody asks; what is under way ends with the page. */
export function useLaidOut(
  contents: readonly CardContents[] | undefined,
  layouts: readonly WithId<LayoutDocument>[] | undefined,
  nameOf: (tag: string) => string,
): LaidOut {
  const [found, setFound] = useState<LaidOut['found']>(new Map());
  const [running, setRunning] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const check = (languages: readonly CardLanguage[]): void => {
    if (!contents || !layouts) return;
    abort.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    const total = contents.reduce((sum, { cards }) => sum + cards.length, 0);
    const run = async () => {
      for (const one of languages) {
        const name = nameOf(one.language);
        const onProgress = (card: number) => setRunning(`Checking ${name}, card ${card} of ${total}…`);
        onProgress(0);
        const findings = await layOutLanguage(one, contents, layouts, { signal, onProgress });
        if (signal.aborted) return;
        setFound((before) => new Map(before).set(one.language, findings));
      }
    };
    setFailure(undefined);
    run()
      .catch((error: unknown) => {
        if (!signal.aborted) setFailure(describeError(error));
      })
      .finally(() => {
        if (!signal.aborted) setRunning(undefined);
      });
  };
  return { found, running, failure, check };
}
