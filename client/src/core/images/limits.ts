/** Most pixels of one image (width times height) that is stored or decoded; the server's default limit. */
export const MAX_IMAGE_PIXELS = 64_000_000;
/** Largest image file read for painting, in bytes: of members' images, and of those that cells name by an address. */
export const MAX_IMAGE_BYTES = 40 * 1024 * 1024;
