import type { RouteObject } from 'react-router';
import { expect, it, vi } from 'vitest';
import { type AppRoute, ROUTES } from '../routes.ts';
import { trialRoutes } from './routes.ts';

vi.mock('./open-tried.ts', () => ({ openTried: async () => 'game' }));

const pagesFor = (belongs: (route: AppRoute) => boolean): RouteObject[] =>
  ROUTES.filter(belongs).map(({ path, lazy }) => ({ path, lazy }));
const routes = trialRoutes({ routes: ROUTES, pagesFor });
const flat = routes.flatMap((route) => [route, ...(route.children ?? [])]).filter(({ path }) => path);
const ORIGIN = 'https://cards.test';

/** The address to which the loader of a path sends the visitor; undefined if the page is shown in the trial. */
async function sentTo(path: string, address = `/try${path}`): Promise<string | null | undefined> {
  const loader = flat.find((route) => route.path === path)?.loader as
    | ((args: { request: Request }) => unknown)
    | undefined;
  if (!loader) return undefined;
  try {
    await loader({ request: new Request(ORIGIN + address) });
  } catch (answer) {
    return (answer as Response).headers.get('Location');
  }
  return undefined;
}

it('has every page of the application once: in the trial, outside of it, or closed', () => {
  const trim = (path: string) => (path === '/' ? path : path.replace(/\/$/, ''));
  const paths = flat.map(({ path = '' }) => trim(path));
  expect([...paths].sort()).toEqual(ROUTES.map(({ path }) => trim(path)).sort());
});

it('leads to the game, and out of the trial to public pages', async () => {
  expect(await sentTo('/')).toBe('/decks/game');
  expect(await sentTo('/decks')).toBe('/decks/game');
  expect(await sentTo('/layouts')).toBe('/layouts/game');
  expect(await sentTo('/docs', '/try/docs?q=x#y')).toBe(`${ORIGIN}/docs?q=x#y`);
  expect(await sentTo('/decks/:id', '/try/decks/game')).toBeUndefined();
});

it('lets whoever signs in come back with the game, wherever the link was', async () => {
  for (const path of ['/login', '/signup', '/forgot-password'])
    expect(await sentTo(path, `/try${path}?to=/decks/game`)).toBe(`${ORIGIN}${path}?to=%2Ftry%2Fkeep`);
});
