import { expect, it } from 'vitest';
import { tableAddress } from './sheet-address.ts';

it.each([
  [
    'https://docs.google.com/spreadsheets/d/1AbC-d_e/edit#gid=42',
    'https://docs.google.com/spreadsheets/d/1AbC-d_e/export?format=csv&gid=42',
  ],
  [
    'https://docs.google.com/spreadsheets/d/1AbC/edit?usp=sharing',
    'https://docs.google.com/spreadsheets/d/1AbC/export?format=csv',
  ],
  [
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml?gid=7&single=true',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?gid=7&single=true&output=csv',
  ],
  [
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv',
  ],
  ['https://github.com/a/b/blob/main/x/cards.csv', 'https://raw.githubusercontent.com/a/b/main/x/cards.csv'],
  ['https://example.com/cards.csv', 'https://example.com/cards.csv'],
])('%s', (given, csv) => {
  expect(tableAddress(given)?.url).toBe(csv);
});

it.each(['', 'cards.csv', 'file:///etc/passwd', 'javascript:alert(1)'])('%j is none', (given) => {
  expect(tableAddress(given)).toBeUndefined();
});
