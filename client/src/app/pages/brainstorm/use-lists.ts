import { useMemo, useState } from 'react';
import { useSession } from '../../../data/account/session.ts';
import { type UserObject, useUserObject } from '../../../data/user-object/use-user-object.ts';
import { FIRST_GENERATORS, FIRST_SENTENCES, type Material, readGenerators } from './ideas.ts';

/** Lists and sentences, and how they are changed. */
export interface Lists extends Material {
  /**
   * Answers false if they could not be stored. A function changes them as they are stored by then, which is not what the
   * screen shows while they are loaded.
   */
  readonly change: (next: Partial<Material> | ((now: Material) => Partial<Material>)) => Promise<boolean>;
}

const FIRST: Material = { generators: FIRST_GENERATORS, sentences: FIRST_SENTENCES };

/** Lists and sentences kept with an account, or the first ones. */
function materialOf(object: Pick<UserObject, 'generators' | 'promptSentences'>): Material {
  const generators = readGenerators(object.generators);
  const sentences = object.promptSentences.filter((one): one is string => typeof one === 'string');
  return {
    generators: generators.length > 0 ? generators : FIRST.generators,
    sentences: sentences.length > 0 ? sentences : FIRST.sentences,
  };
}

/** One's own lists and sentences, or the first ones; visitors keep theirs for as long as the page is open. */
export function useLists(): Lists & { readonly signedIn: boolean } {
  const signedIn = useSession() !== null;
  const { userObject, save } = useUserObject();
  const [visitors, setVisitors] = useState(FIRST);
  const own = useMemo(() => materialOf(userObject), [userObject]);
  const change: Lists['change'] = async (next) => {
    const changed = typeof next === 'function' ? next : () => next;
    if (!signedIn) {
      setVisitors((now) => ({ ...now, ...changed(now) }));
      return true;
    }
    return save((object) => {
      const { generators, sentences } = changed(materialOf(object));
      return {
        ...(generators && { generators: [...generators] }),
        ...(sentences && { promptSentences: [...sentences] }),
      };
    });
  };
  return { ...(signedIn ? own : visitors), change, signedIn };
}
