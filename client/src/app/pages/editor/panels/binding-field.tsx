import type { TableColumn } from '../../../../data/documents.ts';
import { SelectField } from './fields.tsx';

const OWN = '';

/** Chooses the column that drives a property, or the zone's own value. */
export function BindingField({
  label,
  ownLabel,
  column,
  columns,
  onChange,
}: {
  label: string;
  ownLabel: string;
  column: string | undefined;
  columns: readonly TableColumn[];
  onChange: (column: string | undefined) => void;
}) {
  const names = columns.map(({ name }) => name);
  // A binding to a column this table does not have stays visible, so that it can be seen and mended.
  const missing = column !== undefined && !names.includes(column) ? [column] : [];
  return (
    <SelectField
      label={label}
      value={column ?? OWN}
      options={[
        { value: OWN, label: ownLabel },
        ...names.map((name) => ({ value: name, label: `Column: ${name}` })),
        ...missing.map((name) => ({
          value: name,
          label: columns.length ? `Column: ${name} (missing)` : `Column: ${name}`,
        })),
      ]}
      onChange={(value) => onChange(value === OWN ? undefined : value)}
    />
  );
}
