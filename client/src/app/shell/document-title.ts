import { useLayoutEffect } from 'react';
import { isolated } from '../../core/text/names.ts';

/** Suffix of every title. */
const SITE = 'Tuckbox';

/** The page, and what is open on it. */
const shown = { page: '', thing: '' };

function put(change: Partial<typeof shown>): void {
  Object.assign(shown, change);
  document.title = [isolated(shown.thing), shown.page, SITE].filter(Boolean).join(' · ');
}

/** Names the page in the title of the tab, its bookmark and its history; empty for the first page. */
export function usePageTitle(page: string): void {
  useLayoutEffect(() => put({ page }), [page]);
}

/** Puts the name of what is open in front of it: a project, a layout, an article. */
export function useThingTitle(thing: string | undefined): void {
  useLayoutEffect(() => {
    put({ thing: thing ?? '' });
    return () => put({ thing: '' });
  }, [thing]);
}
