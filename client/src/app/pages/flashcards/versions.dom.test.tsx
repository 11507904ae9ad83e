// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_VERSIONS } from '../../../data/layouts/layout-versions.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { FIRST_READ, VersionField } from './versions.tsx';

const stored = vi.hoisted(() => ({ count: 0, reads: [] as number[] }));
vi.mock('../../../data/project/queries.ts', () => ({
  useLayoutVersions: (_layout: unknown, most: number) => {
    if (stored.reads.at(-1) !== most) stored.reads.push(most);
    const items = Array.from({ length: Math.min(most, stored.count) }, (_, at) => ({
      id: `v${at}`,
      name: `Version ${at}`,
      at: 1,
      scene: {},
    }));
    return { data: { items, unreadable: [] }, error: null };
  },
}));
afterEach(() => {
  cleanup();
  stored.reads = [];
});

const project = { layout: (id: string) => ({ path: id }) } as unknown as Project;
const field = (onCompare = vi.fn()) => {
  render(
    <MantineProvider>
      <VersionField project={project} layout="l" compared={undefined} onCompare={onCompare} />
    </MantineProvider>,
  );
  return screen.getByLabelText('Compare with');
};

test('the newest versions are read first, and the earlier ones when somebody asks for them', () => {
  stored.count = 20;
  const onCompare = vi.fn();
  const choice = field(onCompare);
  expect(stored.reads).toEqual([FIRST_READ]);
  expect(choice.querySelectorAll('option')).toHaveLength(FIRST_READ + 2);
  fireEvent.change(choice, { target: { value: 'earlier' } });
  expect(stored.reads).toEqual([FIRST_READ, MAX_VERSIONS]);
  expect(screen.getByLabelText('Compare with')).toBe(choice);
  expect(choice.querySelectorAll('option')).toHaveLength(21);
  expect(onCompare).not.toHaveBeenCalled();
  fireEvent.change(choice, { target: { value: 'v12' } });
  expect(onCompare).toHaveBeenCalledWith({ layout: 'l', version: expect.objectContaining({ id: 'v12' }) });
});

test('nothing more is offered where there is no more', () => {
  stored.count = 3;
  expect(field().querySelectorAll('option')).toHaveLength(4);
});
