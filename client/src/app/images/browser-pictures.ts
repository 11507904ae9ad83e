import { createContext, useContext } from 'react';

/** True around boards that lie in this browser: they may show pictures that lie there as well. */
export const BrowserPicturesContext = createContext(false);
export const useBrowserPictures = (): boolean => useContext(BrowserPicturesContext);
