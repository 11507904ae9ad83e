/** Longest text of a unit, in characters as it is stored; longer ones cannot be stored. */
export const MAX_UNIT = 20_000;

/** A piece of a text: words, a line break, a placeholder for anything that is not a word, or one end of a pair around words. */
export type Piece<T = unknown> =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'break' }
  | {
      readonly kind: 'single' | 'open' | 'close';
      /** As it is written. */
      readonly token: string;
      /** Of a beginning: the token that ends it, where `closingToken` does not tell. */
      readonly end?: string | undefined;
      /** Its meaning, where whoever read it knows. */
      readonly inline?: T | undefined;
    };

/** Characters that a field of text or XML would lose. */
export const UNSAFE = /[^\P{Cc}\t]|[\ufffe\uffff]|\p{Surrogate}/gu;

/** A text in which characters that would be lost are written as `\u0007`. */
export const withoutUnsafe = (text: string): string =>
  text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
export const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|([\s\S]))/g, (_, code: string | undefined, sign: string) =>
    code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** The end of a pair, by its beginning: `</t>` for `<t b12>`, `}` for `{Red:`, and marks like `**` end themselves. */
export function closingToken(open: string): string {
  if (open.startsWith('{')) return '}';
  return open.replace(/^<(\w+).*/, '</$1>');
}

/** The lines of plain words, with breaks between them. */
export const linePieces = (text: string): Piece<never>[] =>
  text
    .split('\n')
    .flatMap((words, at): Piece<never>[] => [
      ...(at > 0 ? [{ kind: 'break' } as const] : []),
      ...(words === '' ? [] : [{ kind: 'words', text: words } as const]),
    ]);

/** Pieces as they stand, one after the other. */
export const rawText = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => (piece.kind === 'words' ? piece.text : piece.kind === 'break' ? '\n' : piece.token))
    .join('');

/** True if there is something to translate: numbers, icons and the like are the same in every language. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text);
