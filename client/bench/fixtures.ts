/** Fixtures of the export benchmark: images and rows of the reference project. */
export { GALLERY_IMAGES } from '../src/core/testing/gallery.ts';
export { referenceRows } from '../src/core/testing/reference.ts';
