/** Limits of a playtest table, the server's (`functions-host/table/src/limits.rs`). */

/** Pieces on a table, decks and other containers among them. */
export const MAX_PIECES = 2_000;
/** Different pieces in a box. */
export const MAX_DEFINITIONS = 5_000;
/** Bytes of all faces and backs of a box. */
export const MAX_BOX_BYTES = 8 * 1024 * 1024;
/** Seats that play. */
export const MAX_SEATS = 12;
/** Greatest value of a counter, and most points of a seat. */
export const MAX_VALUE = 1_000_000_000;
/** Numbers, names and signs of a formula. */
export const MAX_FORMULA_PARTS = 40;
/** Steps of a set-up. */
export const MAX_STEPS = 60;
/** Sets of cards in a box. */
export const MAX_SETS = 200;
/** Sides of a die. */
export const MAX_SIDES = 1_000;
/** Longest name of a seat, a deck or another part of a table, in characters. */
export const MAX_NAME = 30;
/** Longest name of a table, in characters. */
export const MAX_TABLE_NAME = 120;
/** Longest note or remark, in characters. */
export const MAX_TEXT = 500;
