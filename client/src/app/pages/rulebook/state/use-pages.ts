import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Rulebook } from '../../../../core/book/document/schema.ts';
import { describeError } from '../../../../data/server/messages.ts';
import type { ProjectFacts, SetReply } from '../../../../workers/rulebook/rulebook-protocol.ts';
import { createRulebookSetter, type RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { knownLibrary, onLibrary } from '../../../../workers/sources/library.ts';

/** Pages are set when nothing more has changed for so long, in milliseconds. */
const SET_AFTER_MS = 120;

/** The pages as they were set last. */
export interface ShownPages {
  readonly reply: SetReply | undefined;
  /** Reason for which the text could not be set. */
  readonly problem: string | undefined;
  readonly setter: RulebookSetter | undefined;
}

/** Sets the pages of a document in a worker, again whenever it or its project changes. */
export function usePages(
  doc: Rulebook,
  style: string,
  format: string,
  project: ProjectFacts | undefined,
): ShownPages {
  const [setter, setSetter] = useState<RulebookSetter>();
  const [reply, setReply] = useState<SetReply>();
  const [problem, setProblem] = useState<string>();
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  const first = useRef(true);
  useEffect(() => {
    const made = createRulebookSetter();
    setSetter(made);
    return () => made.dispose();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other images are other pages
  useEffect(() => {
    if (!setter || !project) return;
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        first.current = false;
        setter.set({ doc, style, format, project }, abort.signal).then(
          (set) => {
            if (abort.signal.aborted) return;
            setReply(set);
            setProblem(undefined);
          },
          (error: unknown) => {
            if (!abort.signal.aborted) setProblem(describeError(error));
          },
        );
      },
      first.current ? 0 : SET_AFTER_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [setter, doc, style, format, project, library]);
  return { reply, problem, setter };
}
