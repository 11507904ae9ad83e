import { type Symmetry, symmetriesOf } from '../../../../../core/board/area.ts';
import type { CellGrid } from '../../../../../core/board/grid.ts';
import { SelectField } from './fields.tsx';

const WORDS: Readonly<Record<Symmetry, string>> = {
  none: 'None',
  mirror: 'Left and right',
  'turn-2': 'Two, turned',
  'turn-3': 'Three, turned',
  'turn-4': 'Four, turned',
  'turn-6': 'Six, turned',
};

/** One of the symmetries that cells of a kind can have. */
export function SymmetryField({
  cells,
  value,
  onChange,
}: Pick<CellGrid, 'cells'> & { value: Symmetry; onChange: (symmetry: Symmetry) => void }) {
  return (
    <SelectField
      label="Symmetry"
      value={value}
      options={symmetriesOf({ cells }).map((one) => ({ value: one, label: WORDS[one] }))}
      onChange={onChange}
    />
  );
}
