import { createBrowserRouter, type LoaderFunctionArgs, redirect } from 'react-router';
import { sessionUser } from '../data/session.ts';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';

/** Sends a signed-out visitor to Login, which brings them back. */
export function requireUser({ request }: LoaderFunctionArgs): null {
  if (sessionUser()) return null;
  const { pathname, search } = new URL(request.url);
  throw redirect(`/login?to=${encodeURIComponent(pathname + search)}`);
}

export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: RouteError,
    // Nothing to show while the first page's code loads: the shell stands already.
    HydrateFallback: () => null,
    children: [
      { path: '/', lazy: () => import('./pages/home/home.tsx') },
      { path: '/login', lazy: () => import('./pages/auth/login.tsx') },
      { path: '/signup', lazy: () => import('./pages/auth/signup.tsx') },
      { path: '/forgot-password', lazy: () => import('./pages/auth/forgot-password.tsx') },
      { path: '/__/auth/action', lazy: () => import('./pages/auth/action.tsx') },
      { path: '/pricing', lazy: () => import('./pages/planned/pricing.tsx') },
      { path: '/boards', lazy: () => import('./pages/planned/planned.tsx') },
      { path: '/blog', lazy: () => import('./pages/planned/planned.tsx') },
      { path: '/docs', lazy: () => import('./pages/docs/docs.tsx') },
      { path: '/outbox', lazy: () => import('./pages/outbox/outbox.tsx') },
      {
        loader: requireUser,
        lazy: () => import('./shell/protected.tsx'),
        children: [
          { path: '/decks', lazy: () => import('./pages/decks/decks.tsx') },
          { path: '/decks/print/:deck/:cardType?', lazy: () => import('./pages/print/print-deck.tsx') },
          { path: '/decks/:id', lazy: () => import('./pages/deck/deck-details.tsx') },
          { path: '/layouts', lazy: () => import('./pages/layouts/layouts.tsx') },
          {
            path: '/layouts/edit/:id/:returnToLayouts?',
            lazy: () => import('./pages/editor/layout-editor.tsx'),
          },
          { path: '/images/*', lazy: () => import('./pages/planned/planned.tsx') },
          { path: '/account', lazy: () => import('./pages/account/account.tsx') },
        ],
      },
      { path: '*', lazy: () => import('./pages/not-found.tsx') },
    ],
  },
]);
