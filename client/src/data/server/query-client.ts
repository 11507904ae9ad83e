import { QueryClient } from '@tanstack/react-query';

/** Caches of everything shown. Live subscriptions keep them fresh, so nothing is fetched again by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
