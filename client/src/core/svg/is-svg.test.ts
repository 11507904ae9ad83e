import { expect, test } from 'vitest';
import { isSvg } from './is-svg.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  '<svg>',
  '\ufeff <svg xmlns="http://www.w3.org/2000/svg">',
  '<?xml version="1.0"?>\n<!-- made by hand -- or not -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg:svg >',
  `${'<!-- one --><!---->\n'.repeat(100)}<svg\n`,
])('a drawing is told by its first element, case %#', (text) => expect(isSvg(bytes(text))).toBe(true));

test.each(['', '<html><svg>', '<!-- <svg> ', 'x <svg>', '<svgx>', '<!--><svg>'])('%s is none', (text) =>
  expect(isSvg(bytes(text))).toBe(false),
);

test('comments without a drawing after them are read once', () => {
  expect(isSvg(bytes(`${'<!---->'.repeat(32)}x`))).toBe(false);
});
