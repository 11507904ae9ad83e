import { expect, test } from 'vitest';
import { isAsShown } from './writes.ts';

const was = { order: 1, copies: 1, cells: { name: 'Ash' }, status: 'draft' };
const remove = { kind: 'remove', component: 'c', card: 'a', was } as const;

test('a card is deleted only as it was shown: another number of copies or status keeps it', () => {
  expect(isAsShown(remove, { ...was })).toBe(true);
  expect(isAsShown(remove, { ...was, order: 7 })).toBe(true);
  expect(isAsShown(remove, { ...was, copies: 2 })).toBe(false);
  expect(isAsShown(remove, { ...was, status: 'final' })).toBe(false);
  expect(isAsShown(remove, { ...was, cells: { name: 'Oak' } })).toBe(false);
  expect(isAsShown(remove, undefined)).toBe(false);
});

test('a status, a picture and a rulebook rest on what they were', () => {
  const status = { kind: 'status', component: 'c', card: 'a', status: 'final', was: 'draft' } as const;
  expect(isAsShown(status, was)).toBe(true);
  expect(isAsShown(status, { ...was, status: undefined })).toBe(false);
  const image = { kind: 'image', image: 'i', fields: {}, url: '', hash: '', was: { hash: 'h' } } as const;
  expect(isAsShown(image, { hash: 'h', tags: [], bytes: 4 })).toBe(true);
  expect(isAsShown(image, { hash: 'other' })).toBe(false);
  const title = { kind: 'book', rulebook: 'r', field: 'title', value: 'B', was: 'A' } as const;
  expect(isAsShown(title, { title: 'A', deletedAt: 0 })).toBe(true);
  expect(isAsShown(title, { title: 'A', deletedAt: 5 })).toBe(false);
  expect(isAsShown({ kind: 'newImage', image: 'i' }, undefined)).toBe(true);
  expect(isAsShown({ kind: 'newImage', image: 'i' }, { hash: 'h' })).toBe(false);
});
