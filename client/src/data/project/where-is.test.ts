import { describe, expect, it } from 'vitest';
import { pathWithProject } from './where-is.ts';

describe('pathWithProject', () => {
  it('changes the project alone', () => {
    expect(pathWithProject('/decks/abc', 'abc', 'x1')).toBe('/decks/x1');
    expect(pathWithProject('/decks/print/abc/cards', 'abc', 'x1')).toBe('/decks/print/x1/cards');
    expect(pathWithProject('/flashcards/abc/abcd', 'abc', 'x1')).toBe('/flashcards/x1/abcd');
  });

  it('changes the project of a layout', () => {
    expect(pathWithProject('/layouts/edit/abc.l1/true', 'abc', 'x1')).toBe('/layouts/edit/x1.l1/true');
    expect(pathWithProject('/layouts/edit/abcd.abc', 'abc', 'x1')).toBe('/layouts/edit/abcd.abc');
  });

  it('finds ids that an address has to escape', () => {
    expect(pathWithProject('/decks/a%20b', 'a b', 'x1')).toBe('/decks/x1');
  });
});
