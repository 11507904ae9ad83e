/** Colours of the seats, told apart by people who see few colours too; a letter says the same. */
export const SEAT_COLOURS: readonly (readonly [name: string, colour: number])[] = [
  ['Red', 0xb5381f],
  ['Blue', 0x2563a8],
  ['Yellow', 0xd9a514],
  ['Green', 0x2f7d4f],
  ['Purple', 0x7a4a9c],
  ['Black', 0x38332e],
  ['Orange', 0xd9701a],
  ['Teal', 0x1d8a8a],
  ['Pink', 0xc75b8f],
  ['Brown', 0x7d5836],
  ['Grey', 0x8b8b86],
  ['Lime', 0x8aa52a],
];
