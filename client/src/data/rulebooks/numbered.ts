/** The id of a step or version: its number in nine digits, so that ids sort as numbers. */
export const numbered = (number: number): string => String(number).padStart(9, '0');
