import { createBrowserRouter, redirect } from 'react-router';
import { PageError } from './shell/page-error.tsx';
import { Shell } from './shell/shell.tsx';

const Nothing = () => null;

export const router = createBrowserRouter(
  [
    {
      Component: Shell,
      ErrorBoundary: PageError,
      HydrateFallback: Nothing,
      children: [
        { index: true, loader: () => redirect('/documents') },
        { path: 'documents/*', lazy: () => import('./documents/documents-page.tsx') },
        { path: 'users/:uid?', lazy: () => import('./users/users-page.tsx') },
        { path: 'files/*', lazy: () => import('./files/files-page.tsx') },
        { path: 'outbox', lazy: () => import('./outbox/outbox-page.tsx') },
        { path: 'functions/:name?', lazy: () => import('./functions/functions-page.tsx') },
        { path: 'rules', lazy: () => import('./rules/rules-page.tsx') },
        { path: 'requests', lazy: () => import('./requests/requests-page.tsx') },
        { path: 'metrics', lazy: () => import('./metrics/metrics-page.tsx') },
        { path: '*', Component: PageError },
      ],
    },
  ],
  { basename: '/console' },
);
