import { describe, expect, it } from 'vitest';
import { needsVerification, resendWait } from './verification.ts';

const cutoff = Date.parse('2025-09-24T00:00:00Z');
const user = { providers: ['password'], emailVerified: false, createdAt: cutoff };

describe('the verification gate', () => {
  it.each([
    ['a password account made on the day', user, true],
    ['one made the moment before', { ...user, createdAt: cutoff - 1 }, false],
    ['a verified one', { ...user, emailVerified: true }, false],
    ['one that also has Google', { ...user, providers: ['password', 'google.com'] }, false],
    ['one without a password', { ...user, providers: ['github.com'] }, false],
  ])('%s', (_, who, closed) => {
    expect(needsVerification(who)).toBe(closed);
  });

  it('lets a mail be sent once per 60 seconds', () => {
    expect(resendWait(undefined, 0)).toBe(0);
    expect(resendWait(1_000, 1_000)).toBe(60_000);
    expect(resendWait(1_000, 60_999)).toBe(1);
    expect(resendWait(1_000, 61_000)).toBe(0);
  });
});
