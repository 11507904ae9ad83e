import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorAddress, layoutSegment, readLayoutSegment } from './layout-address.ts';

const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('/'));

test('a layout’s name survives the way through an address, whatever is in its ids', () => {
  fc.assert(
    fc.property(fc.record({ project: fc.option(id, { nil: undefined }), id }), ({ project, id }) => {
      const segment = layoutSegment({ project, id });
      const { pathname } = new URL(editorAddress(segment), 'https://tuckbox.example');
      const last = decodeURIComponent(pathname.split('/').at(-1) ?? '');
      expect({ project: undefined, ...readLayoutSegment(last) }).toEqual({ project, id });
    }),
  );
});

test('ids that the application makes are shown as they are', () => {
  expect(layoutSegment({ project: 'aB3', id: 'x9' })).toBe('aB3.x9');
  expect(layoutSegment({ id: 'x9' })).toBe('x9');
  expect(editorAddress('aB3.x9', 'c')).toBe('/layouts/edit/aB3.x9?component=c');
});
