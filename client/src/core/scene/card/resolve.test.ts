import { describe, expect, test } from 'vitest';
import type { Bindings } from '../binding.ts';
import type { TextZone } from '../zones/text.ts';
import { newZone } from '../zones.ts';
import { resolve } from './resolve.ts';

const BOX = { x: 1, y: 2, w: 30, h: 10 };
const COLUMNS = [
  { key: 'c1', name: 'Name' },
  { key: 'c2', name: 'Look' },
];

function bound(path: string, cell: string): { zone: TextZone; messages: string[] } {
  const zone = newZone('text', 't', 'Title', BOX);
  zone.text = 'own text';
  const bindings: Bindings = { [path]: { mode: 'column', column: 'c2' } };
  const result = resolve({ ...zone, bindings }, { cells: { c1: 'Axe', c2: cell } }, COLUMNS);
  return { zone: result.zone, messages: result.issues.map(({ code, message }) => `${code}: ${message}`) };
}

const at = (zone: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], zone);

describe('bindings', () => {
  test.each([
    ['text', 'Fire *bolt*', 'Fire *bolt*'],
    ['text', '', ''],
    ['style.color', 'Red', 'Red'],
    ['style.color', '', '#1f2430'],
    ['style.size', '12', 12],
    ['style.size', '5mm', 14.173228346456694],
    ['style.family', 'bebas neue', 'bebas-neue'],
    ['style.align', 'Center', 'center'],
    ['style.italic', 'yes', true],
    ['style.italic', 'no', false],
    ['style.weight', '700', 700],
    ['x', '1 in', 25.4],
    ['rotation', '-15°', -15],
    ['opacity', '50%', 0.5],
    ['fill', '#ff000080', { kind: 'solid', color: '#ff000080' }],
    ['fill', 'none', { kind: 'none' }],
    ['padding.1', '3', 3],
    ['hidden', '1', true],
  ])('%s from «%s»', (path, cell, expected) => {
    const { zone, messages } = bound(path, cell);
    expect(messages).toEqual([]);
    expect(at(zone, path)).toEqual(expected);
  });

  test.each([
    ['style.color', 'reddish'],
    ['style.size', 'large'],
    ['style.size', '-4'],
    ['style.align', 'middle'],
    ['style.weight', '1650'],
    ['style.family', 'Comic Sans'],
    ['opacity', '7'],
    ['nothing.here', 'x'],
    ['id', 'other'],
    ['fill', 'stripes'],
  ])('%s refuses «%s» and keeps its own value', (path, cell) => {
    const { zone, messages } = bound(path, cell);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('bad-value');
    expect({ ...zone, bindings: {} }).toEqual({ ...newZone('text', 't', 'Title', BOX), text: 'own text' });
  });

  test('columns go by key or by name in any case', () => {
    const zone = newZone('text', 't', 'Title', BOX);
    for (const column of ['c1', 'Name', ' name ']) {
      const result = resolve(
        { ...zone, bindings: { text: { mode: 'column', column } } },
        { cells: { c1: 'Axe' } },
        COLUMNS,
      );
      expect(result.zone.text).toBe('Axe');
    }
  });

  test('the names of cells are found in any case', () => {
    const zone = newZone('map', 'm', 'Map', BOX);
    for (const [cell, labels] of [
      ['a1', 'A1'],
      ['0101', '0101'],
      ['None', 'none'],
    ]) {
      const bindings: Bindings = { labels: { mode: 'column', column: 'c2' } };
      const result = resolve({ ...zone, bindings }, { cells: { c2: cell ?? '' } }, COLUMNS);
      expect(result.issues).toEqual([]);
      expect(result.zone.labels).toBe(labels);
    }
  });

  test('the picture of a terrain follows a column by its symbol, wherever it stands in the list', () => {
    const zone = newZone('map', 'm', 'Map', BOX);
    zone.terrains.reverse();
    const bindings: Bindings = { 'terrains.B.source': { mode: 'column', column: 'c2' } };
    for (const cell of ['image:aBc/Art/Woods.png', '']) {
      const result = resolve({ ...zone, bindings }, { cells: { c2: cell } }, COLUMNS);
      expect(result.issues).toEqual([]);
      const expected = zone.terrains.map((one) => (one.symbol === 'B' ? { ...one, source: cell } : one));
      expect(result.zone.terrains).toEqual(expected);
    }
  });

  test('the cells of a map, its edges and its size follow formulas; cells that cannot be read are reported', () => {
    const zone = newZone('map', 'm', 'Map', BOX);
    const formula = (text: string) => ({ mode: 'formula' as const, formula: text });
    const bindings: Bindings = {
      data: formula("players > 2 ? '3A.B' : '2C'"),
      edges: formula("'A'"),
      cols: formula('players * 3'),
    };
    const columns = [{ key: 'players', name: 'players' }];
    const of = (players: string) => resolve({ ...zone, bindings }, { cells: { players } }, columns).zone;
    expect([of('2').data, of('4').data, of('4').edges]).toEqual(['2C', '3A.B', 'A']);
    expect([of('2').cols, of('4').cols]).toEqual([6, 12]);
    const wrong = resolve(
      { ...zone, bindings: { data: formula("'<b>'") } },
      { cells: { players: '2' } },
      columns,
    );
    expect(wrong.issues).toMatchObject([{ code: 'bad-value', path: 'data' }]);
    expect(wrong.zone.data).toBe(zone.data);
  });

  test('a column that is gone is reported', () => {
    const zone = {
      ...newZone('text', 't', 'Title', BOX),
      bindings: { text: { mode: 'column' as const, column: 'Gone' } },
    };
    expect(resolve(zone, { cells: { c1: 'Axe' } }, COLUMNS).issues[0]).toMatchObject({
      code: 'unknown-column',
      zone: 't',
    });
  });

  test('a zone without bindings is the same object', () => {
    const zone = newZone('shape', 's', 'Shape', BOX);
    expect(resolve(zone, { cells: {} }).zone).toBe(zone);
  });
});
