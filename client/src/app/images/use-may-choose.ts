import { inTrial } from '../../data/trial/place.ts';
import { useBrowserPictures } from './browser-pictures.ts';

/** True where pictures can be chosen from a library: in the trial there is none. */
export const useMayChoose = (): boolean => {
  const inBrowser = useBrowserPictures();
  return inBrowser || !inTrial();
};
