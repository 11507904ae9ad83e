import { NativeSelect } from '@mantine/core';
import { type Part, type PartRef, partKey, partWords } from '../../../../core/play/protocol/parts.ts';

/** Chooses a pile, an area or another part of the table that a step names. */
export function PartField({
  label,
  part,
  parts,
  onChange,
}: {
  label: string;
  part: PartRef;
  parts: readonly Part[];
  onChange: (part: PartRef) => void;
}) {
  const known = parts.some((one) => partKey(one) === partKey(part));
  const gone = { name: part.name, own: part.own === true, is: 'container' as const };
  const all = known ? parts : [...parts, gone];
  return (
    <NativeSelect
      aria-label={label}
      value={partKey(part)}
      data={all.map((one) => ({ value: partKey(one), label: `${label.toLowerCase()} ${partWords(one)}` }))}
      onChange={({ currentTarget: { value } }) => {
        const found = all.find((one) => partKey(one) === value);
        if (found) onChange({ name: found.name, ...(found.own && { own: true }) });
      }}
    />
  );
}
