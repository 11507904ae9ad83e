/** What the export benchmark serves: pictures and rows of the reference deck. */
export { GALLERY_IMAGES } from '../src/core/testing/gallery.ts';
export { referenceRows } from '../src/core/testing/reference.ts';
