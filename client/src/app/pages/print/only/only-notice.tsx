import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import css from '../print.module.css';
import { usePrintOnly } from './print-only.ts';

/** The cards that the link to this page asks for, until somebody wants all of them. */
export interface Only {
  /** Ids; `undefined` for all cards. */
  readonly cards: ReadonlySet<string> | undefined;
  /** Says which they are. */
  readonly words: string;
  readonly forget: () => void;
}

export function useOnly(): Only {
  const asked = usePrintOnly();
  const [forgotten, setForgotten] = useState<typeof asked>();
  return useMemo(() => {
    const given = asked === forgotten ? undefined : asked;
    return {
      cards: given && new Set(given.cards),
      words: given ? `${given.cards.length === 1 ? 'card' : 'cards'} ${given.words}` : '',
      forget: () => setForgotten(asked),
    };
  }, [asked, forgotten]);
}

/** Cards that are both: those asked for by the link, and those that changed since a print. */
export function cardsOfBoth(
  only: ReadonlySet<string> | undefined,
  changed: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  return only && changed ? new Set([...only].filter((id) => changed.has(id))) : (only ?? changed);
}

/** Says that only some cards are printed, and leads to all of them. */
export function OnlyNotice({ only: { cards, words, forget } }: { only: Only }) {
  if (!cards) return null;
  return (
    <div className={css.changed} role="status">
      <p>
        Only {cards.size} {words}.
      </p>
      <Button size="xs" variant="default" onClick={forget}>
        Print all of them
      </Button>
    </div>
  );
}
