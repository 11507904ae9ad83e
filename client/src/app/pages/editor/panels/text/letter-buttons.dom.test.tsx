// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { newZone } from '../../../../../core/scene/zones.ts';
import { LetterButtons, runsRightToLeft } from './letter-buttons.tsx';

const { style: plain } = newZone('text', 'title', 'Title', { x: 0, y: 0, w: 60, h: 60 });

afterEach(cleanup);

/** Icon of the button with a name. */
function icon(name: string, align: typeof plain.align, text: string): string {
  const style = { ...plain, align };
  render(
    <LetterButtons style={style} rightToLeft={runsRightToLeft(text, style)} setStyle={() => undefined} />,
  );
  const html = screen.getByRole('button', { name }).innerHTML;
  cleanup();
  return html;
}

test.each(['\u05e9\u05dc\u05d5\u05dd', '\u0645\u0631\u062d\u0628\u0627 Fox'])(
  'a text that runs right to left starts at the right: %s',
  (text) => {
    expect(icon('Align at the start', 'start', text)).toBe(icon('Align right', 'left', 'Fox'));
    expect(icon('Align at the end', 'start', text)).toBe(icon('Align left', 'left', 'Fox'));
    // Sides of the page are the same for every text.
    expect(icon('Align left', 'left', text)).toBe(icon('Align left', 'left', 'Fox'));
  },
);

test('a text that runs left to right starts at the left', () => {
  expect(icon('Align at the start', 'start', 'Fox \u05e9')).toBe(icon('Align left', 'left', 'Fox'));
});
