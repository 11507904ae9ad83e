import { closingToken, type Piece } from './pieces.ts';

/** A fault of a translation: the placeholder, and where it stands or is missing. */
export interface PlaceholderFault {
  readonly fault: 'lost' | 'extra';
  readonly token: string;
  /** Of a pair, what ends it. */
  readonly end?: string | undefined;
  /** Words beside it, in the source for a lost one. */
  readonly near: string;
}

/** Words shown beside a placeholder, in characters. */
const NEAR = 24;

type Held = Omit<PlaceholderFault, 'fault'>;

/** The placeholders of a text, each with the words after it, or before it at the end. */
function held(pieces: readonly Piece[]): Held[] {
  const wordsFrom = (list: readonly Piece[]): string | undefined =>
    list.flatMap((piece) =>
      piece.kind === 'words' && piece.text.trim() !== '' ? [piece.text.trim()] : [],
    )[0];
  return pieces.flatMap((piece, at) => {
    if (piece.kind !== 'single' && piece.kind !== 'open') return [];
    const { kind, token } = piece;
    const after = wordsFrom(pieces.slice(at + 1));
    const before = after === undefined ? wordsFrom(pieces.slice(0, at).reverse()) : undefined;
    const near = after?.slice(0, NEAR) ?? before?.slice(-NEAR) ?? '';
    return [{ token, near, ...(kind === 'open' && { end: piece.end ?? closingToken(token) }) }];
  });
}

/** Placeholders of the source that a translation has not, and those that it has too many. */
export function placeholderFaults(source: readonly Piece[], text: readonly Piece[]): PlaceholderFault[] {
  const wanted = held(source);
  const extra: PlaceholderFault[] = [];
  for (const one of held(text)) {
    const at = wanted.findIndex(({ token, end }) => token === one.token && end === one.end);
    if (at >= 0) wanted.splice(at, 1);
    else extra.push({ fault: 'extra', ...one });
  }
  return [...wanted.map((one): PlaceholderFault => ({ fault: 'lost', ...one })), ...extra];
}

/** A fault in a sentence. */
export function faultWords({ fault, token, end, near }: PlaceholderFault): string {
  const place = near === '' ? '' : ` beside “${near}”`;
  const pair = end === undefined ? token : `${token}…${end}`;
  return fault === 'lost'
    ? `The placeholder ${pair} of the source${place} is missing.`
    : `The placeholder ${pair}${place} is not in the source, or is in it less often.`;
}
