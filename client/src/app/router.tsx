import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { sessionStarted, sessionUser } from '../data/account/session.ts';
import { inTrial } from '../data/trial/place.ts';
import { canName } from './address-params.ts';
import { type AppRoute, ROUTES } from './routes.ts';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';

/** Sends a signed-out visitor to Login, which brings them back. The router asks before the session has started. */
export async function requireUser({ request }: Pick<LoaderFunctionArgs, 'request'>): Promise<null> {
  await sessionStarted();
  if (sessionUser()) return null;
  const { pathname, search } = new URL(request.url);
  throw redirect(`/login?to=${encodeURIComponent(pathname + search)}`);
}

/** Refuses an address whose parameters can name nothing. */
const requireIds =
  (path: string) =>
  ({ params }: Pick<LoaderFunctionArgs, 'params'>): null => {
    if (canName(path, params)) return null;
    throw new Response(null, { status: 404 });
  };

function pagesFor(belongs: (route: AppRoute) => boolean): RouteObject[] {
  return ROUTES.filter(belongs).map(({ path, lazy, title }) => ({
    path,
    lazy,
    handle: title,
    ...(path.includes(':') && { loader: requireIds(path), ErrorBoundary: RouteError }),
  }));
}

/** While the first page's code loads: the shell stands already. */
const Nothing = () => null;

const nothingHere: RouteObject = {
  path: '*',
  handle: 'Nothing here',
  lazy: () => import('./pages/not-found.tsx'),
};

const inShell = (children: RouteObject[]): RouteObject[] => [
  { Component: Shell, ErrorBoundary: RouteError, HydrateFallback: Nothing, children },
];

/** All pages, the protected ones behind their guard. */
export function routeObjects(): RouteObject[] {
  return inShell([
    ...pagesFor(({ access }) => access === 'public'),
    {
      loader: requireUser,
      lazy: () => import('./shell/protected.tsx'),
      children: pagesFor(({ access, guests }) => access === 'user' && !guests),
    },
    {
      // It sends others to Login itself: whether somebody is a guest is known only once the session has started.
      lazy: () => import('./shell/open-to-guests.tsx'),
      children: pagesFor(({ access, guests }) => access === 'user' && guests === true),
    },
    nothingHere,
  ]);
}

/** Its first page loads while the session starts. */
const outsideTrial = inTrial() ? undefined : createBrowserRouter(routeObjects());

/** The router of this page: of the trial, or of everything else. @throws Error in words when the trial cannot begin */
export async function pageRouter() {
  if (outsideTrial) return outsideTrial;
  const { startTrial } = await import('./trial/start.ts');
  const { pages, basename } = await startTrial({ routes: ROUTES, pagesFor });
  return createBrowserRouter(inShell([...pages, nothingHere]), { basename });
}
