/** Longest seed of what is made at random. */
export const MAX_SEED_LENGTH = 40;
const DIGITS_OF_A_NEW_SEED = 1e6;

/** Some other seed. */
export const newSeed = (): string => String(Math.floor(Math.random() * DIGITS_OF_A_NEW_SEED));
