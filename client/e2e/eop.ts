/** A threat game's cards, six suits of thirteen, in the shape of Elevation of Privilege; words of our own. */

const SUITS = ['Spoofing', 'Tampering', 'Repudiation', 'Disclosure', 'Denial', 'Elevation'] as const;
const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'Jack', 'Queen', 'King', 'Ace'] as const;
const WAYS = [
  'guess it, slowly',
  'ask politely',
  'wait for the backup',
  'read "the" log',
  'replay it',
] as const;

export const EOP_COLUMNS = ['Suit', 'Rank', 'Text', 'Copies'] as const;

/** One row per card; some texts hold commas, quotation marks and line breaks. */
export function eopRows(): string[][] {
  return SUITS.flatMap((suit, s) =>
    RANKS.map((rank, r) => [
      suit,
      rank,
      `Against ${suit.toLowerCase()}, somebody could ${WAYS[(s + r) % WAYS.length]}.${r % 5 === 0 ? '\nTwice.' : ''}`,
      rank === 'Ace' ? '2' : '1',
    ]),
  );
}

const quote = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** As a spreadsheet in a country of decimal commas saves it: semicolons, UTF-16 with its mark. */
export function eopFile(rows: readonly (readonly string[])[]): Buffer {
  const text = [EOP_COLUMNS, ...rows].map((row) => row.map(quote).join(';')).join('\r\n');
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}
