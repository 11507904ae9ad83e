import { describe, expect, it } from 'vitest';
import type { Component, TableColumn } from '../../../../data/documents/documents.ts';
import { looksOf } from './use-looks.ts';

function card(columns: TableColumn[], cells: Record<string, string>) {
  const now = { columns: columns as Component['columns'], cells: cells as Readonly<Record<string, string>> };
  const made: string[] = [];
  const looks = looksOf(
    now,
    (key, text) => {
      cells[key] = text;
    },
    (all) => void made.push(...all.map(({ name }) => name)),
  );
  return { looks, cells, made };
}

describe('looks of one card', () => {
  it('go into a column of the zone’s name, made when it is first needed', () => {
    const { looks, cells, made } = card([{ key: 'name', name: 'Name', type: 'text' }], {});
    looks.set('Name', [['x', '5']]);
    looks.set('Name', [
      ['y', '7.5'],
      ['style.color', '#a00'],
    ]);
    expect(made).toEqual(['Name', 'Name style']);
    expect(Object.values(cells)).toEqual(['{x:5; y:7.5; style.color:#a00}']);
    expect(looks.of('Name')).toEqual([
      ['x', '5'],
      ['y', '7.5'],
      ['style.color', '#a00'],
    ]);
  });

  it('replace what was written under another name, keep the rest, and empty to nothing', () => {
    const column: TableColumn = { key: 's', name: 'Title Style', type: 'style' };
    const { looks, cells, made } = card([column], { s: '{left: 3; opacity: 0.5}' });
    looks.set('title', [['x', '4']]);
    expect(cells.s).toBe('{opacity:0.5; x:4}');
    looks.set('title', [
      ['x', ''],
      ['opacity', ' '],
    ]);
    expect(cells.s).toBe('');
    expect(made).toEqual([]);
  });

  it('go back to what they were', () => {
    const { looks, cells } = card([{ key: 's', name: 'Title style', type: 'style' }], { s: '{x:3}' });
    const before = looks.text('Title');
    looks.set('Title', [['x', '9']]);
    looks.restore('Title', before);
    expect(cells.s).toBe('{x:3}');
    looks.restore('Art', 'nothing to go back to');
    expect(cells).toEqual({ s: '{x:3}' });
  });
});
