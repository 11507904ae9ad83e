import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Draft, findDraft, listDrafts, onDrafts } from './drafts.ts';

const KEY = 'board drafts';

/** Reads drafts again whenever one is saved or deleted, in this tab or another. */
function useDraftNews(): void {
  const client = useQueryClient();
  useEffect(() => onDrafts(() => void client.invalidateQueries({ queryKey: [KEY] })), [client]);
}

/** The drafts of this browser, last changed first. */
export function useDrafts() {
  useDraftNews();
  return useQuery({ queryKey: [KEY], queryFn: listDrafts });
}

/** One draft; `null` when there is none of that id. */
export function useDraft(id: string) {
  useDraftNews();
  return useQuery({
    queryKey: [KEY, id],
    queryFn: async (): Promise<Draft | null> => (await findDraft(id)) ?? null,
  });
}
