// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { Prose } from './prose.tsx';

afterEach(cleanup);

test('links to pages stay in the application; files and other sites open beside it; scripts are words', () => {
  const source = '[a](/account) [b](/third-party-notices.txt) [c](https://example.org) [d](javascript:alert)';
  const { getByText } = render(
    <MemoryRouter>
      <Prose source={source} />
    </MemoryRouter>,
  );
  const target = (text: string) => getByText(text).getAttribute('target');
  expect([target('a'), target('b'), target('c')]).toEqual([null, '_blank', '_blank']);
  expect(getByText('d', { exact: false }).closest('a')).toBeNull();
});
