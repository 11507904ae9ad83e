import { QueryClientProvider } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../../data/account/session.ts';
import { queryClient } from '../../data/server/query-client.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { LeavingNotice } from './leaving-notice.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { VerificationGate } from './verification-gate.tsx';

/** Around every protected page: ends with the session, and waits for a verified address. */
export function Component() {
  const user = useSession();
  const { pathname, search } = useLocation();
  if (!user) return <Navigate to={`/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  return (
    <QueryClientProvider client={queryClient}>
      <ConnectionNotice />
      <LeavingNotice />
      <RestoredNotice />
      <Outlet />
      <VerificationGate user={user} />
    </QueryClientProvider>
  );
}
