import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { KEEP_PATH, TRIAL_BASE } from '../../data/trial/place.ts';
import type { AppRoute } from '../routes.ts';
import { openTried } from './open-tried.ts';

/** Pages through which one gets an account. */
const ACCOUNT_PAGES = /^\/(login|signup|forgot-password)\/?$/i;

/** Goes to a page outside of the trial. Whoever signs in there comes back with what they made. */
function leave({ request }: LoaderFunctionArgs): never {
  const { origin, pathname, search, hash } = new URL(request.url);
  const path = pathname.slice(TRIAL_BASE.length) || '/';
  const query = ACCOUNT_PAGES.test(path) ? `?to=${encodeURIComponent(KEEP_PATH)}` : search;
  throw redirect(origin + path + query + hash);
}

async function toProject(): Promise<never> {
  throw redirect(`/decks/${await openTried()}`);
}

async function toLayouts(): Promise<never> {
  throw redirect(`/layouts/${await openTried()}`);
}

/** Lists of an account that lead to the one project of the trial. */
const LISTS: readonly RouteObject[] = [
  { path: '/', loader: toProject },
  { path: '/decks', loader: toProject },
  { path: '/layouts', loader: toLayouts },
];

/** Parts of the whole application's router. They are given, so that they stay in the first download as they are. */
export interface Parts {
  readonly routes: readonly AppRoute[];
  readonly pagesFor: (belongs: (route: AppRoute) => boolean) => RouteObject[];
}

/**
 * Pages of the trial, below an address of their own: those that need no server, as they are; other public ones outside of
 * it; of the others it is said that they need an account.
 */
export function trialRoutes({ routes, pagesFor }: Parts): RouteObject[] {
  const listed = new Set(LISTS.map(({ path }) => path));
  const others = routes.filter(({ trial, path }) => !trial && !listed.has(path.replace(/(.)\/$/, '$1')));
  const needsAccount = others.filter(({ access }) => access === 'user');
  return [
    ...LISTS,
    { lazy: () => import('./trial-frame.tsx'), children: pagesFor(({ trial }) => trial === true) },
    ...others.filter(({ access }) => access === 'public').map(({ path }) => ({ path, loader: leave })),
    ...needsAccount.map(({ path }) => ({
      path,
      handle: 'This needs an account',
      lazy: () => import('./needs-account.tsx'),
    })),
  ];
}
