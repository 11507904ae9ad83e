import { expect, it } from 'vitest';
import { isTrialPath } from './place.ts';

it('knows the addresses of the trial', () => {
  for (const path of ['/try', '/try/', '/TRY', '/try/decks/x', '/try/keep/more', '/try/keeper'])
    expect(isTrialPath(path), path).toBe(true);
  for (const path of ['/', '/tryout', '/decks/try', '/try/keep', '/try/keep/', '/Try/Keep'])
    expect(isTrialPath(path), path).toBe(false);
});
