import { NativeSelect } from '@mantine/core';
import type { ContainerKind, Policy } from '../../../../core/play/protocol/messages.ts';
import { SOME, sightOf, sightsOf, withSight } from '../../../../core/play/view/places.ts';

/** Chooses who sees the contents of a container of a kind. */
export function SightField({
  label,
  kind,
  policy,
  withSeats,
  onChange,
}: {
  label: string;
  kind: ContainerKind;
  policy: Policy;
  /** True where seats can be chosen one by one. */
  withSeats: boolean;
  onChange: (policy: Policy) => void;
}) {
  const offered = sightsOf(kind).filter(({ value }) => withSeats || value !== SOME.value);
  const now = sightOf(kind, policy)?.value;
  const isOffered = offered.some(({ value }) => value === now);
  return (
    <NativeSelect
      aria-label={label}
      value={isOffered ? now : ''}
      data={[
        ...(isOffered ? [] : [{ value: '', label: 'As it was made' }]),
        ...offered.map(({ value, label: words }) => ({ value, label: words })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const next = offered.find((one) => one.value === value);
        if (next) onChange(withSight(policy, next));
      }}
    />
  );
}
