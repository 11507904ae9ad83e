import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import type { Filter, FilterOperation } from '../../../../../data/table/view.ts';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import css from './dialogs.module.css';

const OPERATIONS: Readonly<Record<FilterOperation, string>> = {
  contains: 'contains',
  is: 'is',
  isNot: 'is not',
  over: 'is over',
  under: 'is under',
  empty: 'is empty',
  filled: 'is filled',
};
const NEEDS_VALUE = new Set<FilterOperation>(['contains', 'is', 'isNot', 'over', 'under']);

/** Filter of the table: a card must pass every line. */
export function FilterForm({
  open,
  columns,
  filters,
  first,
  onClose,
  onSave,
}: {
  open: boolean;
  columns: readonly TableColumn[];
  filters: readonly Filter[];
  /** Column to begin a new line with. */
  first: string | undefined;
  onClose: () => void;
  onSave: (filters: readonly Filter[]) => void;
}) {
  const [lines, setLines] = useState<readonly Filter[]>([]);
  const blank = (key: string | undefined): Filter => ({
    key: key ?? columns[0]?.key ?? '',
    operation: 'contains',
    value: '',
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened form starts over
  useEffect(() => {
    if (!open) return;
    setLines(first !== undefined || filters.length === 0 ? [...filters, blank(first)] : filters);
  }, [open]);
  const set = (index: number, change: Partial<Filter>) =>
    setLines(lines.map((line, i) => (i === index ? { ...line, ...change } : line)));
  const done = () => {
    onSave(lines.filter(({ operation, value }) => !NEEDS_VALUE.has(operation) || value.trim() !== ''));
    onClose();
  };
  return (
    <Popup open={open} onClose={onClose} title="Filter cards" width={620}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <div className={css.filters}>
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
            <div key={i} className={css.filter}>
              <NativeSelect
                aria-label="Column"
                value={line.key}
                data={columns.map(({ key, name }) => ({ value: key, label: name }))}
                onChange={(event) => set(i, { key: event.currentTarget.value })}
              />
              <NativeSelect
                aria-label="Test"
                value={line.operation}
                data={Object.entries(OPERATIONS).map(([value, label]) => ({ value, label }))}
                onChange={(event) => set(i, { operation: event.currentTarget.value as FilterOperation })}
              />
              <TextInput
                size="sm"
                aria-label="Value"
                value={line.value}
                disabled={!NEEDS_VALUE.has(line.operation)}
                onChange={(event) => set(i, { value: event.currentTarget.value })}
              />
              <Button
                variant="subtle"
                color="gray"
                aria-label="Remove this filter"
                onClick={() => setLines(lines.filter((_, k) => k !== i))}
              >
                <X size={15} aria-hidden />
              </Button>
            </div>
          ))}
        </div>
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setLines([...lines, blank(undefined)])}
          >
            Another filter
          </Button>
        </div>
        <PopupActions>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              onSave([]);
              onClose();
            }}
          >
            Show all cards
          </Button>
          <Button type="submit">Filter</Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
