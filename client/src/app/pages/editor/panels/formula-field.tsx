import { Textarea } from '@mantine/core';
import {
  checkFormula,
  type ExpressionError,
  evaluate,
  textOf,
} from '../../../../core/expression/expression.ts';
import { rowScope } from '../../../../core/expression/row-scope.ts';
import { MAX_FORMULA_LENGTH } from '../../../../core/scene/limits.ts';
import type { Column, Row } from '../../../../core/scene/row.ts';
import { useWithout } from '../../../../data/opening.ts';

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
  return (
    <Textarea
      size="xs"
      label={label}
      autosize
      minRows={1}
      maxRows={6}
      spellCheck={false}
      maxLength={MAX_FORMULA_LENGTH}
      {...(placeholder && { placeholder })}
      value={value}
      error={error && faultText(value, error)}
      {...(result?.ok && { description: `= ${shown.slice(0, MAX_SHOWN) || '(empty)'}` })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
