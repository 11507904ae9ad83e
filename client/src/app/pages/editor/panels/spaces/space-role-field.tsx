import type { SpaceRole } from '../../../../../core/board/space.ts';
import { SelectField } from '../fields/fields.tsx';

const ROLES: readonly { readonly value: SpaceRole; readonly label: string }[] = [
  { value: 'spot', label: 'One piece' },
  { value: 'slot', label: 'Card or tile' },
  { value: 'deck', label: 'Pile of cards' },
  { value: 'area', label: 'Loose pieces' },
];

/** Choice of the pieces that a space holds. */
export function SpaceRoleField({
  value,
  onChange,
}: {
  value: SpaceRole;
  onChange: (role: SpaceRole) => void;
}) {
  return <SelectField label="Holds" value={value} options={ROLES} onChange={onChange} />;
}
