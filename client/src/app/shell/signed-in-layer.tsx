import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { SessionUser } from '../../data/account/session.ts';
import { needsVerification } from '../../data/account/verification.ts';
import { queryClient } from '../../data/server/query-client.ts';
import { userObjectStore, useUserObject } from '../../data/user-object/use-user-object.ts';
import { hasOwnTheme } from '../../ui/theme/theme.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { Introductions } from '../announcements/introductions.tsx';
import { TutorialOverlay } from '../tutorials/tutorial-overlay.tsx';

/** True in Chrome and browsers built on it. */
const isChrome = (): boolean => /Chrom(e|ium)\//.test(navigator.userAgent);

/**
 * A device on which no theme was chosen takes the dark one of the account, and has its own from then on. An account
 * that is not dark says nothing: the system's theme stays.
 */
function useAccountTheme(ready: boolean, dark: boolean): void {
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (ready && dark && !hasOwnTheme()) setColorScheme('dark');
  }, [ready, dark, setColorScheme]);
}

/** Pages that end something begun elsewhere: nothing else is said there. */
const MAIL_LINKS = '/__/';

/** Parts of every page for signed-in users: settings, the introduction, news and tutorials. */
export default function SignedInLayer({ user }: { user: SessionUser }) {
  const { error, ready, userObject, save } = useUserObject();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!error) return;
    const id = toasts.show(error.message, {
      type: 'error',
      autoCloseTime: 0,
      actions: error.retriable
        ? [{ buttonText: 'Try again', function: () => userObjectStore()?.retry() }]
        : [],
    });
    return () => toasts.close(id);
  }, [error]);
  useAccountTheme(ready, userObject.darkMode);
  useEffect(() => {
    // A failure is told where a font is chosen.
    void import('../../data/fonts/font-library.ts').then(({ fontLibraryQuery }) =>
      queryClient.prefetchQuery(fontLibraryQuery),
    );
  }, []);
  const warn = ready && !userObject.chromeWarning && !isChrome();
  useEffect(() => {
    if (!warn) return;
    const id = toasts.show('Only Chrome is supported. Other browsers may print and draw differently.', {
      type: 'warning',
      autoCloseTime: 0,
      closeOnClick: false,
      actions: [{ buttonText: 'I know', function: () => void save({ chromeWarning: true }) }],
    });
    return () => toasts.close(id);
  }, [warn, save]);
  // Whoever has to verify an address has one thing to do first.
  if (needsVerification(user)) return null;
  return (
    <>
      <TutorialOverlay />
      {!pathname.startsWith(MAIL_LINKS) && <Introductions />}
    </>
  );
}
