import { useMemo, useState } from 'react';
import { useSession } from '../../../data/session.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { FIRST_GENERATORS, FIRST_SENTENCES, type Generator, readGenerators } from './ideas.ts';

/** Lists and sentences, and how they are changed. */
export interface Lists {
  readonly generators: readonly Generator[];
  readonly sentences: readonly string[];
  /** Answers false if they could not be stored. */
  readonly change: (next: Partial<Pick<Lists, 'generators' | 'sentences'>>) => Promise<boolean>;
}

/** One's own lists and sentences, or the first ones; visitors keep theirs for as long as the page is open. */
export function useLists(): Lists & { readonly signedIn: boolean } {
  const signedIn = useSession() !== null;
  const { userObject, save } = useUserObject();
  const [visitors, setVisitors] = useState<{
    generators: readonly Generator[];
    sentences: readonly string[];
  }>({
    generators: FIRST_GENERATORS,
    sentences: FIRST_SENTENCES,
  });
  const own = useMemo(() => {
    const generators = readGenerators(userObject.generators);
    const sentences = userObject.promptSentences.filter((one): one is string => typeof one === 'string');
    return {
      generators: generators.length > 0 ? generators : FIRST_GENERATORS,
      sentences: sentences.length > 0 ? sentences : FIRST_SENTENCES,
    };
  }, [userObject]);
  const lists = signedIn ? own : visitors;
  const change: Lists['change'] = async (next) => {
    if (!signedIn) {
      setVisitors({ ...visitors, ...next });
      return true;
    }
    return save({
      ...(next.generators && { generators: [...next.generators] }),
      ...(next.sentences && { promptSentences: [...next.sentences] }),
    });
  };
  return { ...lists, change, signedIn };
}
