import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { asLibraryImage } from '../../../data/boards/pictures.ts';
import { usePictures } from '../../../data/boards/use-pictures.ts';
import { setSharedImages } from '../../../data/images/shared-images.ts';
import { queryClient } from '../../../data/server/query-client.ts';
import { BrowserPicturesContext } from '../../images/browser-pictures.ts';

const OWNER = 'board pictures';

/** Lets painters have the pictures of this browser; the page begins when they do. */
function WithPictures({ children }: { children: ReactNode }) {
  const { data, error } = usePictures();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (data) setSharedImages(OWNER, data.map(asLibraryImage));
    // In a browser that keeps nothing, boards are drawn without pictures of their own.
    if (data || error) setReady(true);
  }, [data, error]);
  useEffect(() => () => setSharedImages(OWNER, []), []);
  return <BrowserPicturesContext value>{ready && children}</BrowserPicturesContext>;
}

/**
 * Gives a page for visitors the cache of queries, which the frame of protected pages has for theirs, and the pictures
 * that lie in this browser.
 */
export const BoardsFrame = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <WithPictures>{children}</WithPictures>
  </QueryClientProvider>
);
