import { Button, Textarea, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import {
  combinations,
  countCombinations,
  type Enumeration,
  MAX_ENUMERATED,
  MAX_LISTS,
  readValues,
} from '../../../../core/table/enumerate.ts';
import { columnKey, type ImportedTable } from '../../../../data/import/table.ts';
import css from './combine.module.css';

/** Rows shown before they are made. */
const PREVIEW_ROWS = 6;

/** A list as it is typed. */
export interface TypedList {
  readonly name: string;
  readonly text: string;
}

export const FIRST_LISTS: readonly TypedList[] = [
  { name: 'Suit', text: 'Sun, Moon, Star' },
  { name: 'Rank', text: '1..9' },
];

export const readLists = (lists: readonly TypedList[]): Enumeration[] =>
  lists.map(({ name, text }, i) => ({ name: name.trim() || `Column ${i + 1}`, values: readValues(text) }));

/** A table of all combinations; `undefined` while there are none, or too many. */
export function tableOf(lists: readonly TypedList[]): ImportedTable | undefined {
  const used = readLists(lists).filter(({ values }) => values.length > 0);
  const count = countCombinations(used);
  if (count === 0 || count > MAX_ENUMERATED) return undefined;
  const taken = new Set<string>();
  const columns = used.map(({ name, values }) => {
    const key = columnKey(name, taken);
    taken.add(key);
    const type = values.every((value) => /^-?\d+(\.\d+)?$/.test(value))
      ? ('number' as const)
      : ('text' as const);
    return { key, name, type };
  });
  const rows = combinations(used).map((row) => ({
    copies: 1,
    cells: Object.fromEntries(columns.map(({ key }, i) => [key, row[i] ?? ''])),
  }));
  return { columns, rows, copiesColumn: undefined, idColumn: undefined };
}

/** Lists whose combinations become rows, with how many that makes and the first of them. */
export function CombineForm({
  lists,
  onChange,
}: {
  lists: readonly TypedList[];
  onChange: (lists: readonly TypedList[]) => void;
}) {
  const set = (at: number, change: Partial<TypedList>) =>
    onChange(lists.map((list, i) => (i === at ? { ...list, ...change } : list)));
  const used = readLists(lists).filter(({ values }) => values.length > 0);
  const count = countCombinations(used);
  return (
    <div className={css.combine}>
      {lists.map((list, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list has no name but its place
        <div key={i} className={css.list}>
          <TextInput
            size="sm"
            label={`Column ${i + 1}`}
            value={list.name}
            onChange={(event) => set(i, { name: event.currentTarget.value })}
          />
          <Textarea
            label={`Values of column ${i + 1}`}
            autosize
            minRows={1}
            maxRows={5}
            placeholder="Sun, Moon, 1..9"
            value={list.text}
            onChange={(event) => set(i, { text: event.currentTarget.value })}
          />
          <button
            type="button"
            aria-label={`Remove column ${i + 1}`}
            disabled={lists.length === 1}
            onClick={() => onChange(lists.filter((_, at) => at !== i))}
          >
            <Trash2 size={16} aria-hidden />
          </button>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={lists.length >= MAX_LISTS}
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...lists, { name: '', text: '' }])}
        >
          Column
        </Button>
      </div>
      <p role="status" className={css.count}>
        {count > MAX_ENUMERATED
          ? `${count.toLocaleString('en')} combinations are too many: at most ${MAX_ENUMERATED.toLocaleString('en')} become rows.`
          : `${used.map(({ values }) => values.length).join(' × ') || 'No values'} = ${count} rows`}
      </p>
      {count > 0 && count <= MAX_ENUMERATED && (
        <ul className={css.rows} aria-label="First rows">
          {combinations(used, PREVIEW_ROWS).map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity before they are made
            <li key={i}>{row.join(' · ')}</li>
          ))}
          {count > PREVIEW_ROWS && <li>…</li>}
        </ul>
      )}
    </div>
  );
}
