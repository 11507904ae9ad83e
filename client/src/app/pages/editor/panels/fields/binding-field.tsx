import type { Binding } from '../../../../../core/scene/binding.ts';
import type { Row } from '../../../../../core/scene/card/row.ts';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import type { TableRow } from '../../state/table/use-table.ts';
import { SelectField } from './fields.tsx';
import { FormulaField } from './formula-field.tsx';

const OWN = 'own';
const FORMULA = 'formula';
const COLUMN = 'column:';

/** Data that a property can be computed from. */
export interface DataContext {
  readonly columns: readonly TableColumn[];
  /** The card shown. */
  readonly row: Row;
  /** All cards of the table; empty where there is none. */
  readonly rows: readonly TableRow[];
}

/** Chooses what drives a property: its own value, a column, or a formula. */
export function BindingField({
  label,
  customLabel,
  binding,
  data: { columns, row },
  onChange,
}: {
  label: string;
  customLabel: string;
  binding: Binding | undefined;
  data: DataContext;
  onChange: (binding: Binding | undefined, mergeKey?: string) => void;
}) {
  const names = columns.map(({ name }) => name);
  const column = binding?.mode === 'column' ? binding.column : undefined;
  // A binding to a column this table does not have stays visible, so that it can be seen and mended.
  const missing = column !== undefined && !names.includes(column) ? [column] : [];
  return (
    <>
      <SelectField
        label={label}
        value={column !== undefined ? `${COLUMN}${column}` : binding ? FORMULA : OWN}
        options={[
          { value: OWN, label: customLabel },
          ...names.map((name) => ({ value: `${COLUMN}${name}`, label: `Column: ${name}` })),
          ...missing.map((name) => ({
            value: `${COLUMN}${name}`,
            label: columns.length ? `Column: ${name} (missing)` : `Column: ${name}`,
          })),
          { value: FORMULA, label: 'Formula' },
        ]}
        onChange={(value) => {
          if (value === OWN) onChange(undefined);
          else if (value === FORMULA) onChange({ mode: 'formula', formula: formulaFor(column) });
          else onChange({ mode: 'column', column: value.slice(COLUMN.length) });
        }}
      />
      {binding?.mode === 'formula' && (
        <FormulaField
          label={`${label}: formula`}
          value={binding.formula}
          row={row}
          columns={columns}
          placeholder="cost > 3 ? 'red' : 'black'"
          onChange={(formula) => onChange({ mode: 'formula', formula }, 'formula')}
        />
      )}
    </>
  );
}

/** A formula to begin with: the column that drove the property before. */
function formulaFor(column: string | undefined): string {
  if (column === undefined) return '';
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(column) ? column : `[${column}]`;
}
