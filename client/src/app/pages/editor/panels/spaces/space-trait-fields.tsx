import { Checkbox } from '@mantine/core';
import {
  ACCEPTED_PIECES,
  type AcceptedPiece,
  MAX_HELD,
  type SpaceTraits,
  type SpaceTurning,
} from '../../../../../core/board/space.ts';
import { Pair, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import css from '../map/map-fields.module.css';
import { SpaceRoleField } from './space-role-field.tsx';

const PIECES: Readonly<Record<AcceptedPiece, string>> = {
  card: 'Cards',
  token: 'Tokens',
  tile: 'Tiles',
  die: 'Dice',
};

const turnings = (role: SpaceTraits['role']): readonly { value: SpaceTurning; label: string }[] => [
  { value: 'usual', label: role === 'spot' ? 'As they are held' : 'Straight' },
  ...(role === 'spot' ? [] : [{ value: 'held' as const, label: 'As they are held' }]),
  { value: 'angle', label: 'At an angle' },
];

/** The pieces of a space, and how they lie in it. */
export function SpaceTraitFields({
  traits,
  onChange,
}: {
  traits: SpaceTraits;
  onChange: (part: Partial<SpaceTraits>) => void;
}) {
  const { role, turning, turn, accepts, holds } = traits;
  const options = turnings(role);
  return (
    <>
      <Pair>
        <SpaceRoleField value={role} onChange={(value) => onChange({ role: value })} />
        <NumberField
          label="Most pieces, 0 for any"
          whole
          min={0}
          max={MAX_HELD}
          value={holds}
          onChange={(value) => onChange({ holds: value })}
        />
      </Pair>
      {role !== 'area' && (
        <Pair>
          <SelectField
            label="Pieces lie"
            // A single piece is held as usual.
            value={options.some(({ value }) => value === turning) ? turning : 'usual'}
            options={options}
            onChange={(value) => onChange({ turning: value })}
          />
          {turning === 'angle' && (
            <NumberField
              label="Angle of pieces"
              unit="°"
              step={15}
              min={-360}
              max={360}
              value={turn}
              onChange={(value) => onChange({ turn: value })}
            />
          )}
        </Pair>
      )}
      <fieldset className={css.choices}>
        <legend>Only these come to rest there; none ticked means all</legend>
        {ACCEPTED_PIECES.map((kind) => (
          <Checkbox
            key={kind}
            size="xs"
            label={PIECES[kind]}
            checked={accepts.includes(kind)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              // In one order, whichever was ticked first.
              onChange({
                accepts: ACCEPTED_PIECES.filter((one) => (one === kind ? checked : accepts.includes(one))),
              });
            }}
          />
        ))}
      </fieldset>
    </>
  );
}
