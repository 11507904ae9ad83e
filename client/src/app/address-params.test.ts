import { expect, test } from 'vitest';
import { canName } from './address-params.ts';

test('an address that was cut off or tampered with names nothing', () => {
  for (const id of ['..', '.', 'a/b', 'a/layouts/b', '../..', '__x__', 'x'.repeat(1501)]) {
    expect(canName('/decks/:id', { id }), id).toBe(false);
    expect(canName('/layouts/edit/:id/:returnToLayouts?', { id: `p.${id}` }), id).toBe(false);
  }
  for (const id of ['p.', '.l', '', 'p.a%2Fb', 'p.%2E%2E', '%2E%2E.l'])
    expect(canName('/layouts/edit/:id/:returnToLayouts?', { id }), id).toBe(false);
  expect(canName('/layouts/shared/:sharingUser/:id', { sharingUser: '..', id: 'l' })).toBe(false);
  expect(canName('/layouts/:deck/:cardType?/:isForBack?', { deck: 'p', cardType: 'a/b' })).toBe(false);
});

test('ids of any other characters do, and folders are no ids', () => {
  for (const id of ['aB3', 'x y.é', '😀', '...', '__x', 'p~1', 'x'.repeat(1500)])
    expect(canName('/decks/:id', { id }), id).toBe(true);
  expect(canName('/layouts/edit/:id/:returnToLayouts?', { id: 'p.l', returnToLayouts: undefined })).toBe(
    true,
  );
  expect(canName('/layouts/edit/:id/:returnToLayouts?', { id: 'p.a.b' })).toBe(true);
  expect(canName('/decks/images/:deck/*', { deck: 'p', '*': 'a/../b' })).toBe(true);
});
