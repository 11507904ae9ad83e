import { Navigate, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { useSession } from '../../data/session.ts';
import { ToastStack } from '../../ui/toasts/toast-stack.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Navbar } from './navbar.tsx';
import css from './shell.module.css';
import { VerificationGate } from './verification-gate.tsx';

/** What every page has around it. */
export function Shell() {
  const { state } = useNavigation();
  return (
    <>
      <a className={css.skip} href="#content">
        Skip to content
      </a>
      {state === 'loading' && <div className={css.progress} role="progressbar" aria-label="Loading page" />}
      <Navbar />
      <ConnectionNotice />
      <div id="content" className={css.content} tabIndex={-1}>
        <Outlet />
      </div>
      <ToastStack />
      <ScrollRestoration />
    </>
  );
}

/** Around every protected page: ends with the session, and waits for a verified address. */
export function RequireUser() {
  const user = useSession();
  const { pathname, search } = useLocation();
  if (!user) return <Navigate to={`/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  return (
    <>
      <Outlet />
      <VerificationGate user={user} />
    </>
  );
}
