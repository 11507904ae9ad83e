import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listPictures, onPictures } from './pictures.ts';

const KEY = ['board pictures'];

/** The pictures of this browser, read again whenever they change, in this tab or another. */
export function usePictures() {
  const client = useQueryClient();
  useEffect(() => onPictures(() => void client.invalidateQueries({ queryKey: KEY })), [client]);
  // They are read from this machine, online or not.
  return useQuery({ queryKey: KEY, queryFn: listPictures, networkMode: 'always' });
}
