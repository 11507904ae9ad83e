/** Most pixels of one image (width times height) that is stored or decoded; the server's default limit. */
export const MAX_IMAGE_PIXELS = 64_000_000;
