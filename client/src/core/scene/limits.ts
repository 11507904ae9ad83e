/** Most zones in one layout, counted over the whole tree. */
export const MAX_ZONES = 500;
/** Deepest nesting of zones. */
export const MAX_DEPTH = 16;
/** Longest literal text of a zone, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 20_000;
/** Longest formula, in UTF-16 units. */
export const MAX_FORMULA_LENGTH = 2_000;
/** Longest name of a zone, layout, column, font or image. */
export const MAX_NAME_LENGTH = 500;
/** Longest mark that stands for an icon in a text. */
export const MAX_TOKEN_LENGTH = 40;
/** Longest clip path, in UTF-16 units. */
export const MAX_CLIP_LENGTH = 20_000;
/** Most items an iterator repeats; further ones are omitted and reported. */
export const MAX_ITEMS = 100;
/** Most guides of one direction. */
export const MAX_GUIDES = 100;
/** Most cells of one grid. */
export const MAX_CELLS = 400;
/** Most columns of a layout's own sample card. */
export const MAX_SAMPLE_CELLS = 100;
/** Longest language tag, in UTF-16 units. */
export const MAX_LANGUAGE_LENGTH = 40;
