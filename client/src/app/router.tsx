import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { sessionUser } from '../data/session.ts';
import { type Access, ROUTES } from './routes.ts';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';

/** Sends a signed-out visitor to Login, which brings them back. */
export function requireUser({ request }: Pick<LoaderFunctionArgs, 'request'>): null {
  if (sessionUser()) return null;
  const { pathname, search } = new URL(request.url);
  throw redirect(`/login?to=${encodeURIComponent(pathname + search)}`);
}

function pagesFor(access: Access): RouteObject[] {
  return ROUTES.filter((route) => route.access === access).map(({ path, lazy, title }) => ({
    path,
    lazy,
    handle: title,
  }));
}

/** While the first page's code loads: the shell stands already. */
const Nothing = () => null;

/** All pages, the protected ones behind their guard. */
export function routeObjects(): RouteObject[] {
  return [
    {
      Component: Shell,
      ErrorBoundary: RouteError,
      HydrateFallback: Nothing,
      children: [
        ...pagesFor('public'),
        {
          loader: requireUser,
          lazy: () => import('./shell/protected.tsx'),
          children: pagesFor('user'),
        },
        { path: '*', handle: 'Nothing here', lazy: () => import('./pages/not-found.tsx') },
      ],
    },
  ];
}

export const router = createBrowserRouter(routeObjects());
