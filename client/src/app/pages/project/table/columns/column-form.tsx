import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { FormulaName } from '../../../../../core/expression/completion.ts';
import { ROW_NAMES } from '../../../../../core/expression/row-scope.ts';
import {
  COLUMN_TYPES,
  type ColumnType,
  MAX_NAME_LENGTH,
  type TableColumn,
} from '../../../../../data/documents/documents.ts';
import { checkColumnFormula } from '../../../../../data/table/formula/formula.ts';
import { Problem } from '../../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { FormulaInput } from '../../../../formula/formula-input.tsx';
import css from '../dialogs/dialogs.module.css';
import { MAX_COLUMN_PX, MIN_COLUMN_PX, TYPE_NAMES } from './column-header.tsx';

/** Names that a column's formula may use. */
const formulaNames = (columns: readonly TableColumn[]): FormulaName[] => [
  ...columns.map(({ name, type }) => ({ name, detail: TYPE_NAMES[type] })),
  ...ROW_NAMES.map(({ name, gives }) => ({ name, detail: gives })),
];

/** Result of the form. */
export interface ColumnDraft {
  readonly column: TableColumn;
  readonly copies: boolean;
  readonly id: boolean;
}

/** A column's name, type and what goes with it. */
export function ColumnForm({
  draft,
  isNew,
  others,
  zones,
  onClose,
  onSave,
}: {
  /** `undefined` closes it. */
  draft: ColumnDraft | undefined;
  isNew: boolean;
  others: readonly TableColumn[];
  /** Zones of the layout, for style columns. */
  zones: readonly string[];
  onClose: () => void;
  onSave: (draft: ColumnDraft) => void;
}) {
  const [now, setNow] = useState(draft);
  // While it closes, it says what it said.
  const [added, setAdded] = useState(isNew);
  useEffect(() => {
    if (!draft) return;
    setNow(draft);
    setAdded(isNew);
  }, [draft, isNew]);
  if (!now) return null;
  const { column } = now;
  const set = (change: Partial<TableColumn>) => setNow({ ...now, column: { ...column, ...change } });
  const name = column.name.trim();
  const fault =
    name === ''
      ? undefined
      : others.some((other) => other.name.toLowerCase() === name.toLowerCase())
        ? 'Another column has this name already.'
        : undefined;
  const formulaFault = column.type === 'formula' ? checkColumnFormula(column.formula ?? '') : undefined;
  const setType = (type: ColumnType) => {
    const zone = zones[0];
    set({
      type,
      ...(type === 'style' && !/ style$/i.test(name) && zone !== undefined && { name: `${zone} style` }),
    });
  };
  return (
    <Popup
      open={draft !== undefined}
      onClose={onClose}
      title={added ? 'New column' : 'Edit column'}
      width={480}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && !fault && !formulaFault) onSave({ ...now, column: { ...column, name } });
        }}
      >
        <TextInput
          label="Name"
          value={column.name}
          maxLength={MAX_NAME_LENGTH}
          data-autofocus
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <div className={css.row}>
          <NativeSelect
            label="Type"
            value={column.type}
            data={COLUMN_TYPES.map((type) => ({ value: type, label: TYPE_NAMES[type] }))}
            onChange={(event) => setType(event.currentTarget.value as ColumnType)}
          />
          <NumberInput
            label="Width"
            value={column.width ?? 160}
            min={MIN_COLUMN_PX}
            max={MAX_COLUMN_PX}
            step={20}
            onChange={(value) => set({ width: Number(value) || 160 })}
          />
        </div>
        {column.type === 'formula' && (
          <FormulaInput
            label="Formula"
            result="Columns go by their names, such as cost * 2 or if(cost > 3, 'big', 'small')"
            minRows={2}
            value={column.formula ?? ''}
            names={formulaNames(others)}
            fault={formulaFault}
            onChange={(formula) => set({ formula })}
          />
        )}
        {column.type === 'list' && (
          <Textarea
            label="Choices"
            description="One a line; other texts can still be typed"
            autosize
            minRows={3}
            maxRows={8}
            value={(column.options ?? []).join('\n')}
            onChange={(event) => set({ options: event.currentTarget.value.split('\n') })}
          />
        )}
        {column.type === 'style' && (
          <p className={css.answer}>
            Changes how one zone looks on single cards. The column is named after the zone:{' '}
            {zones.length > 0 ? `“${zones[0]} style”` : '“Title style”'}. Cells hold properties such as{' '}
            {'{color:#a00; size:9}'}.
          </p>
        )}
        {column.type !== 'formula' && column.type !== 'style' && (
          <div className={css.checks}>
            <Checkbox
              label="Says how many copies there are"
              checked={now.copies}
              onChange={(event) => setNow({ ...now, copies: event.currentTarget.checked })}
            />
            <Checkbox
              label="Names the card in imports"
              checked={now.id}
              onChange={(event) => setNow({ ...now, id: event.currentTarget.checked })}
            />
          </div>
        )}
        {fault && <Problem title={fault} />}
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name === '' || fault !== undefined || formulaFault !== undefined}>
            {added ? 'Add column' : 'Save column'}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
