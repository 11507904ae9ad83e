import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedId, readOpenedId } from './opened.ts';

test('the id of an opened version names the project and the version', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
  fc.assert(
    fc.property(id, id, (project, version) => {
      expect(readOpenedId(openedId({ project, version }))).toEqual({ project, version });
      expect(readOpenedId(project)).toBeUndefined();
    }),
  );
  expect(readOpenedId('~v')).toBeUndefined();
  expect(readOpenedId('p~')).toBeUndefined();
});
