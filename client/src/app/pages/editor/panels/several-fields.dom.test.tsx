// @vitest-environment happy-dom
/** Properties of several zones: what they share, where they differ, and one undo for all. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useStore } from 'zustand';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { EditorModel } from '../state/editor-store.ts';
import { SeveralFields } from './several-fields.tsx';

vi.mock('../../../fonts/font-field.tsx', () => ({
  FontField: ({ label, onChange }: { label: string; onChange: (family: string, files: []) => void }) => (
    <button type="button" onClick={() => onChange('lora', [])}>
      {label}
    </button>
  ),
}));
vi.mock('../../../../data/user-object/use-user-object.ts', () => ({
  useUserObject: () => ({ userObject: { palettes: [] } }),
}));
vi.mock('../../../../data/user-object/palettes.ts', () => ({ offeredColours: () => [] }));

afterEach(cleanup);

function Panel({ model }: { model: EditorModel }) {
  const scene = useStore(model.store, (state) => state.scene);
  const selection = useStore(model.store, (state) => state.selection);
  return (
    <MantineProvider>
      <SeveralFields scene={scene} ids={selection} model={model} />
    </MantineProvider>
  );
}

function open(...ids: string[]) {
  const scene = newLayout('Card');
  const [a, b] = [
    newZone('text', 'a', 'A', { x: 5, y: 5, w: 20, h: 10 }),
    newZone('text', 'b', 'B', { x: 5, y: 20, w: 30, h: 10 }),
  ];
  b.style.size = a.style.size + 4;
  b.style.weight = 700;
  b.style.color = '#aa0000';
  scene.zones = [a, b, newZone('shape', 'c', 'C', { x: 5, y: 40, w: 30, h: 10 })];
  const model = new EditorModel(scene);
  model.selectAll(ids);
  render(<Panel model={model} />);
  const zone = (id: string) => {
    const found = model.state.scene.zones.find((one) => one.id === id);
    if (!found) throw new Error(id);
    return found;
  };
  return { model, zone };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const sizeOf = (zone: { kind: string }) =>
  'style' in zone ? (zone.style as { size: number }).size : Number.NaN;

test('a property that zones share is shown, and one in which they differ is said to be mixed', () => {
  open('a', 'b');
  expect(field('X').value).toBe('5');
  expect(field('Height').value).toBe('10');
  expect([field('Y').value, field('Y').placeholder]).toEqual(['', 'Mixed']);
  expect(field('Size').getAttribute('aria-valuetext')).toBe('Mixed');
  expect(screen.getByLabelText('Bold').getAttribute('aria-pressed')).toBe('false');
  expect(screen.getByLabelText('Align left').getAttribute('aria-pressed')).toBe('true');
});

test('a value that is typed is that of all of them, by one act', () => {
  const { model, zone } = open('a', 'b');
  const [before, other] = [sizeOf(zone('a')), sizeOf(zone('b'))];
  // That of the first one is a change for the others.
  fireEvent.change(field('Size'), { target: { value: String(before) } });
  expect([sizeOf(zone('a')), sizeOf(zone('b'))]).toEqual([before, before]);
  fireEvent.blur(field('Size'));
  model.undo();
  expect([sizeOf(zone('a')), sizeOf(zone('b'))]).toEqual([before, other]);
  expect(model.state.canUndo).toBe(false);
});

test('arrow keys count each from its own value', () => {
  const { zone } = open('a', 'b');
  fireEvent.keyDown(field('Y'), { key: 'ArrowUp' });
  const step = zone('a').y - 5;
  expect(step).toBeGreaterThan(0);
  expect(zone('b').y).toBe(20 + step);
  fireEvent.keyDown(field('Size'), { key: 'ArrowDown', shiftKey: true });
  expect(sizeOf(zone('b')) - sizeOf(zone('a'))).toBe(4);
});

test('a text that is no colour leaves colours that differ as they are', () => {
  const { model, zone } = open('a', 'b');
  const colours = () => ['a', 'b'].map((id) => (zone(id) as { style: { color: string } }).style.color);
  const before = colours();
  for (const typed of ['r', 're', '']) {
    fireEvent.change(field('Text colour'), { target: { value: typed } });
    expect(colours()).toEqual(before);
  }
  fireEvent.change(field('Text colour'), { target: { value: 'r' } });
  fireEvent.blur(field('Text colour'));
  expect(colours()).toEqual(before);
  expect(model.state.canUndo).toBe(false);
  fireEvent.change(field('Text colour'), { target: { value: '#00aa00' } });
  fireEvent.blur(field('Text colour'));
  expect(colours()).toEqual(['#00aa00', '#00aa00']);
});

test('type is that of the texts among them, and bold makes all of them bold', () => {
  const { zone } = open('a', 'b', 'c');
  screen.getByRole('region', { name: 'Type of the 2 texts' });
  fireEvent.click(screen.getByLabelText('Bold'));
  expect(['a', 'b'].map((id) => (zone(id) as { style: { weight: number } }).style.weight)).toEqual([
    700, 700,
  ]);
  fireEvent.click(screen.getByText('Font'));
  expect((zone('b') as { style: { family: string } }).style.family).toBe('lora');
  expect('style' in zone('c') && (zone('c') as { style?: object }).style).toBe(false);
});
