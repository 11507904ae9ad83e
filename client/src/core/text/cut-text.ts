/** The beginning of a text, at most so many UTF-16 units long, in which no character is cut in two. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** A text whole, or the beginning of a long one with an ellipsis behind. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${cutText(text, most)}…` : text;
