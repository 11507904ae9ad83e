/** Image files of one colour, for tests of colours. */

import { zlibSync } from 'fflate';
import { joined } from '../images/bytes.ts';
import { crc32 } from '../png/checksums.ts';

const latin = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const u16 = (n: number): number[] => [n >> 8, n & 255];
const u32 = (n: number): number[] => [...u16(n >>> 16), ...u16(n & 0xffff)];
/** A number with a sign and 16 bits behind the point. */
const fixed = (n: number): number[] => u32(Math.round(n * 65_536) >>> 0);

/** Codes of Huffman for differences of 0 to 11 bits, each four bits long, and for the end of a block alone. */
const SIZES = Array.from({ length: 12 }, (_, size) => size);
const DIFFERENCES = [0x00, 0, 0, 0, SIZES.length, ...Array<number>(12).fill(0), ...SIZES];
const END_OF_BLOCK = [0x10, 1, ...Array<number>(15).fill(0), 0];

/** A JPEG of 8 × 8 pixels with these values of each component, and Adobe's segment, so that they are RGB or CMYK. */
export function jpegOf(values: readonly number[], profileParts: readonly (readonly number[])[] = []) {
  const segment = (marker: number, ...content: number[]): number[] => [
    ...[0xff, marker],
    ...u16(content.length + 2),
    ...content,
  ];
  const block = (value: number): string => {
    const difference = (value - 128) * 8;
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    const bits = difference > 0 ? difference : difference + 2 ** size - 1;
    return `${size.toString(2).padStart(4, '0')}${size > 0 ? bits.toString(2).padStart(size, '0') : ''}0`;
  };
  const bits = values.map(block).join('');
  const scan = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 255 ? [255, 0] : [value];
  });
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xee, ...latin('Adobe'), 0, 100, 0, 0, 0, 0, 0),
    ...profileParts.flatMap((part, index) =>
      segment(0xe2, ...latin('ICC_PROFILE\0'), index + 1, profileParts.length, ...part),
    ),
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc0, 8, ...u16(8), ...u16(8), values.length, ...values.flatMap((_, i) => [i + 1, 0x11, 0])),
    ...segment(0xc4, ...DIFFERENCES),
    ...segment(0xc4, ...END_OF_BLOCK),
    ...segment(0xda, values.length, ...values.flatMap((_, i) => [i + 1, 0]), 0, 63, 0),
    ...scan,
    ...[0xff, 0xd9],
  ]);
}

/** The primaries of sRGB under the light of a printed page. */
const RED = [0.4361, 0.2225, 0.0139];
const GREEN = [0.3851, 0.7169, 0.0971];
const BLUE = [0.1431, 0.0606, 0.7139];
const WHITE = [0.9642, 1, 0.8249];

/** A profile in which red and green are exchanged: an image's colours show whether it was heeded. */
export function exchangedProfile(): Uint8Array<ArrayBuffer> {
  const place = (xyz: readonly number[]) => [...latin('XYZ '), ...u32(0), ...xyz.flatMap(fixed)];
  const gamma = [...latin('curv'), ...u32(0), ...u32(1), ...u16(Math.round(2.2 * 256)), 0, 0];
  const title = latin('Exchanged\0');
  const tags: [string, number[]][] = [
    ['desc', [...latin('desc'), ...u32(0), ...u32(title.length), ...title, ...Array<number>(80).fill(0)]],
    ['cprt', [...latin('text'), ...u32(0), ...latin('None\0\0\0\0')]],
    ['wtpt', place(WHITE)],
    ['rXYZ', place(GREEN)],
    ['gXYZ', place(RED)],
    ['bXYZ', place(BLUE)],
    ['rTRC', gamma],
    ['gTRC', gamma],
    ['bTRC', gamma],
  ];
  let at = 128 + 4 + 12 * tags.length;
  const directory = tags.flatMap(([name, data]) => {
    const entry = [...latin(name), ...u32(at), ...u32(data.length)];
    while (data.length % 4 > 0) data.push(0);
    at += data.length;
    return entry;
  });
  const head = [
    ...[u32(at), u32(0), u32(0x02400000), latin('mntrRGB XYZ '), Array<number>(12).fill(0)].flat(),
    ...[latin('acsp'), Array<number>(28).fill(0), WHITE.flatMap(fixed), Array<number>(48).fill(0)].flat(),
  ];
  return Uint8Array.from([...head, ...u32(tags.length), ...directory, ...tags.flatMap(([, data]) => data)]);
}

/** A PNG of one pixel with a profile. */
export function pngOf(rgb: readonly number[], packedProfile: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, content: Uint8Array) => {
    const named = joined([Uint8Array.from(latin(type)), content]);
    return joined([Uint8Array.from(u32(content.length)), named, Uint8Array.from(u32(crc32(named)))]);
  };
  return joined([
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', Uint8Array.from([...u32(1), ...u32(1), 8, 2, 0, 0, 0])),
    chunk('iCCP', joined([Uint8Array.from(latin('Exchanged\0\0')), packedProfile])),
    chunk('IDAT', zlibSync(Uint8Array.from([0, ...rgb]))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
