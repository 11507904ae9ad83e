import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { fromHex, toHex } from '../../hex.ts';
import { hmacSha256, sha256 } from './sha256.ts';

it('hashes as the platform does, at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255);
    expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(toHex(hmacSha256(bytes, bytes))).toBe(createHmac('sha256', bytes).update(bytes).digest('hex'));
  }
});

it('reads what it writes in hexadecimal', () => {
  expect(toHex(fromHex('00ff10a9'))).toBe('00ff10a9');
});
