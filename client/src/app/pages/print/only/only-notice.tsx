import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
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
  const navigate = useNavigate();
  const { search } = useLocation();
  return useMemo(
    () => ({
      cards: asked && new Set(asked.cards),
      words: asked ? `${asked.cards.length === 1 ? 'card' : 'cards'} ${asked.words}` : '',
      forget: () => void navigate({ search }, { replace: true }),
    }),
    [asked, navigate, search],
  );
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
