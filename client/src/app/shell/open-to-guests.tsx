import { QueryClientProvider } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useGuest, useSession } from '../../data/account/session.ts';
import { queryClient } from '../../data/server/query-client.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { VerificationGate } from './verification-gate.tsx';

/** Around pages for signed-in users and guests of a table; there is nothing for guests to verify. */
export function Component() {
  const [user, guest] = [useSession(), useGuest()];
  const { pathname, search } = useLocation();
  if (!user && !guest) return <Navigate to={`/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  return (
    <QueryClientProvider client={queryClient}>
      <ConnectionNotice />
      <Outlet />
      {user && <VerificationGate user={user} />}
    </QueryClientProvider>
  );
}
