import { useMemo } from 'react';
import { useLocation } from 'react-router';
import * as z from 'zod';

/** Cards that a link to this page asks for, and no others. */
const onlySchema = z.object({
  printOnly: z.object({
    /** Ids. */
    cards: z.array(z.string()),
    /** Words that go after “cards”: `that changed since v0.7`. */
    words: z.string(),
  }),
});
export type PrintOnly = z.infer<typeof onlySchema>['printOnly'];

/** State of a link to the page that prints some cards only. */
export const printOnly = (cards: readonly string[], words: string): z.infer<typeof onlySchema> => ({
  printOnly: { cards: [...cards], words },
});

/** The cards that the link to this page asks for; `undefined` for all. */
export function usePrintOnly(): PrintOnly | undefined {
  const { state } = useLocation();
  // The same cards until another link is followed.
  return useMemo(() => onlySchema.safeParse(state).data?.printOnly, [state]);
}
