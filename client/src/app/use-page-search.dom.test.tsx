// @vitest-environment happy-dom
/** Parameters of an address, while the browser takes its time to change it. */

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { usePageSearch } from './use-page-search.ts';

afterEach(cleanup);

function Page() {
  const [search, set] = usePageSearch();
  return (
    <>
      <p role="status">{`${search}`}</p>
      <button type="button" onClick={() => set('language', 'ja')}>
        Japanese
      </button>
      <button type="button" onClick={() => set('to', 'printers')}>
        Printers
      </button>
    </>
  );
}

const said = () => screen.getByRole('status').textContent;

test('what is chosen counts before the address has changed, and is kept when it does', async () => {
  const navigations: (() => void)[] = [];
  const loader = () => new Promise<null>((resolve) => navigations.push(() => resolve(null)));
  const router = createMemoryRouter([{ path: '/print', element: <Page />, loader }], {
    initialEntries: ['/print?language=ar#only'],
    hydrationData: { loaderData: { '0': null } },
  });
  render(<RouterProvider router={router} />);
  expect(said()).toBe('language=ar');
  fireEvent.click(screen.getByText('Japanese'));
  expect(said()).toBe('language=ja');
  fireEvent.click(screen.getByText('Printers'));
  expect(said()).toBe('language=ja&to=printers');
  expect(router.state.location.search).toBe('?language=ar');
  await act(async () => {
    for (const go of navigations) go();
  });
  expect(router.state.location).toMatchObject({ search: '?language=ja&to=printers', hash: '#only' });
  expect(said()).toBe('language=ja&to=printers');
  // Another address counts again.
  await act(async () => {
    const going = router.navigate('/print?language=de');
    navigations.at(-1)?.();
    await going;
  });
  expect(said()).toBe('language=de');
});
