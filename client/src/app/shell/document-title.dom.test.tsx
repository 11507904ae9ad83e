// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usePageTitle, useThingTitle } from './document-title.ts';

test('a name in the title of the tab turns nothing beside it', () => {
  const { rerender, unmount } = renderHook(
    ({ name }) => {
      usePageTitle('Project');
      useThingTitle(name);
    },
    { initialProps: { name: 'Driftglass\u202e' } },
  );
  expect(document.title).toBe('Driftglass · Project · Tuckbox');
  rerender({ name: 'שועלים' });
  expect(document.title).toBe('\u2068שועלים\u2069 · Project · Tuckbox');
  unmount();
});
