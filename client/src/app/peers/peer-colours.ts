/** Colours of other people's cursors. All bear white letters in both themes. */
const COLOURS = ['#7a2f4f', '#2f5d62', '#6b4a8a', '#8a4b00', '#2f6b3c', '#2f4a8a'] as const;

export const peerColour = (hue: number): string => COLOURS[hue % COLOURS.length] ?? COLOURS[0];
