import { lazy, Suspense } from 'react';
import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router';
import { useSession } from '../../data/account/session.ts';
import { inTrial } from '../../data/trial/place.ts';
import { ToastStack } from '../../ui/toasts/toast-stack.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { usePageTitle } from './document-title.ts';
import { Footer } from './footer.tsx';
import { Logo } from './logo.tsx';
import { Navbar, ThemeToggle } from './navbar.tsx';
import css from './shell.module.css';

const SignedInLayer = lazy(() => import('./signed-in-layer.tsx'));
const TrialBar = lazy(() => import('../trial/trial-bar.tsx'));
const SiteNotice = lazy(() => import('./site-notice.tsx'));

/** Frame of every page. */
export function Shell() {
  const { state } = useNavigation();
  const user = useSession();
  // Every route's handle is its title.
  usePageTitle(String(useMatches().at(-1)?.handle ?? ''));
  return (
    <>
      <a className={css.skip} href="#content">
        Skip to content
      </a>
      {state === 'loading' && <div className={css.progress} role="progressbar" aria-label="Loading page" />}
      {inTrial() ? (
        <Suspense fallback={<div className={css.bar} />}>
          <TrialBar logo={<Logo />} theme={<ThemeToggle />} />
        </Suspense>
      ) : (
        <Navbar />
      )}
      <div id="content" className={css.content} tabIndex={-1}>
        {user && (
          <Suspense fallback={null}>
            <SiteNotice />
          </Suspense>
        )}
        <Outlet />
        <Footer />
      </div>
      <HelpButton />
      {user && (
        <Suspense fallback={null}>
          <SignedInLayer user={user} />
        </Suspense>
      )}
      <ToastStack />
      <ScrollRestoration />
    </>
  );
}
