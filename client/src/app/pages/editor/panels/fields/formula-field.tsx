import { useMemo } from 'react';
import {
  checkFormula,
  type ExpressionError,
  evaluate,
  textOf,
} from '../../../../../core/expression/expression.ts';
import { ROW_NAMES, rowScope } from '../../../../../core/expression/row-scope.ts';
import { cellAt } from '../../../../../core/records.ts';
import type { Column, Row } from '../../../../../core/scene/card/row.ts';
import { MAX_FORMULA_LENGTH } from '../../../../../core/scene/limits.ts';
import { useWithout } from '../../../../../data/opening.ts';
import { FormulaInput } from '../../../../formula/formula-input.tsx';

/** Longest result shown. */
const MAX_SHOWN = 60;

/** Message of a fault, with its place marked in the formula. */
function faultText(formula: string, { message, at }: ExpressionError): string {
  const before = formula.slice(Math.max(0, at - 12), at);
  const after = formula.slice(at, at + 12);
  return `${message} At ${at + 1}: ${before}‸${after}`;
}

/** A formula with what it gives for the card shown, or what is wrong with it and where. */
export function FormulaField({
  label,
  value,
  row,
  columns,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  row: Row;
  columns: readonly Column[];
  placeholder?: string;
  onChange: (formula: string) => void;
}) {
  const unreadable = checkFormula(value);
  const { formulas: without } = useWithout();
  const result = without || value.trim() === '' ? undefined : evaluate(value, rowScope(row, columns));
  const error = unreadable ?? (result && !result.ok ? result.error : undefined);
  const shown = result?.ok ? textOf(result.value) : '';
  const names = useMemo(
    () => [
      ...columns.map(({ key, name }) => ({ name, detail: cellAt(row.cells, key) || '(empty)' })),
      ...ROW_NAMES.map(({ name, gives }) => ({ name, detail: gives })),
    ],
    [columns, row.cells],
  );
  return (
    <FormulaInput
      size="xs"
      label={label}
      minRows={1}
      maxRows={6}
      maxLength={MAX_FORMULA_LENGTH}
      {...(placeholder && { placeholder })}
      value={value}
      names={names}
      fault={error && faultText(value, error)}
      {...(result?.ok && { result: `= ${shown.slice(0, MAX_SHOWN) || '(empty)'}` })}
      onChange={onChange}
    />
  );
}
