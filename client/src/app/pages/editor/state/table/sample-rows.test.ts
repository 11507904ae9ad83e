import { describe, expect, test } from 'vitest';
import { sampleRows } from './sample-rows.ts';
import type { Table } from './use-table.ts';

const table: Table = {
  columns: [
    { key: 'name', name: 'Name', type: 'text' },
    { key: 'cost', name: 'Cost', type: 'number' },
    { key: 'art', name: 'Art', type: 'image' },
  ],
  rows: [
    { name: 'a', cells: { name: 'Ash', cost: '3', art: '' } },
    { name: 'b', cells: { name: 'Keeper of the Lantern', cost: '12', art: 'Art/keeper.png' } },
  ],
};

describe('sample rows', () => {
  test('are longer than the longest, a word, and nothing', () => {
    const [long, short, empty] = sampleRows(table, []);
    expect(long?.cells.name).toMatch(/^Keeper of the Lantern \S/);
    expect(long?.cells.name?.length).toBeGreaterThan(21);
    expect(long?.cells).toMatchObject({ cost: '999', art: 'Art/keeper.png' });
    expect(short?.cells).toEqual({ name: 'Ash', cost: '1', art: 'Art/keeper.png' });
    expect(empty?.cells).toEqual({ name: '', cost: '', art: '' });
  });

  test('fill the columns a layout asks for where there is no table', () => {
    const [long, short, empty] = sampleRows({ columns: [], rows: [] }, ['Rules']);
    expect(long?.cells.Rules?.length).toBeGreaterThan(150);
    expect(short?.cells.Rules).toBe('Ox');
    expect(empty?.cells.Rules).toBe('');
    expect(sampleRows({ columns: [], rows: [] }, [])).toEqual([]);
  });
});
