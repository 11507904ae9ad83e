import { Checkbox, NativeSelect, NumberInput } from '@mantine/core';
import { MIDDLE, type Part, placedWords, type Step, type Stock } from '../../../core/play/buttons.ts';
import { PartField } from './part-field.tsx';

type PlaceStep = Extract<Step, { readonly do: 'place' }>;

/** The two sorts of places: in a pile or an area, or a spot of the table itself. */
const [INTO, AT] = ['into', 'at'];
/** Positions are kept in tenths of a millimetre. */
const PER_MM = 10;
/** Farthest place from the middle, in millimetres: a limit of the server. */
const MOST_MM = 10_000;

/** Pieces that a step takes out of the box, and their place on the table. */
export function PlaceFields({
  step,
  parts,
  stock,
  onChange,
}: {
  step: PlaceStep;
  parts: readonly Part[];
  stock: readonly Stock[];
  onChange: (step: PlaceStep) => void;
}) {
  const { place, to } = step;
  const definition = 'pieces' in place ? place.pieces.definition : undefined;
  const known = stock.some(({ no }) => no === definition);
  const [first] = parts;
  return (
    <>
      <NativeSelect
        aria-label="Piece"
        value={known ? String(definition) : ''}
        data={[
          ...(known ? [] : [{ value: '', label: placedWords(place, stock) }]),
          ...stock.map(({ no, name }) => ({ value: String(no), label: name })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === '') return;
          const copies = 'pieces' in place ? place.pieces.copies : 1;
          onChange({
            ...step,
            place: { pieces: { definition: Number(value), ...(copies !== undefined && { copies }) } },
          });
        }}
      />
      <NativeSelect
        aria-label="Place"
        value={'into' in to ? INTO : AT}
        data={[
          ...(first ? [{ value: INTO, label: 'into a pile or area' }] : []),
          { value: AT, label: 'on the table' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...step,
            to:
              value === INTO && first
                ? { into: { name: first.name, ...(first.own && { own: true }) } }
                : { at: MIDDLE },
          })
        }
      />
      {'into' in to ? (
        <PartField
          label="To"
          part={to.into}
          parts={parts}
          onChange={(into) => onChange({ ...step, to: { into } })}
        />
      ) : (
        (['x', 'y'] as const).map((axis) => (
          <NumberInput
            key={axis}
            aria-label={
              axis === 'x' ? 'Right of the middle, in millimetres' : 'Below the middle, in millimetres'
            }
            suffix={axis === 'x' ? ' mm right' : ' mm down'}
            decimalScale={1}
            min={-MOST_MM}
            max={MOST_MM}
            clampBehavior="strict"
            value={to.at[axis] / PER_MM}
            onChange={(value) =>
              onChange({
                ...step,
                to: { at: { ...to.at, [axis]: Math.round((Number(value) || 0) * PER_MM) } },
              })
            }
          />
        ))
      )}
      <Checkbox
        label="Face down"
        checked={step.face === 'down'}
        onChange={({ currentTarget: { checked } }) => onChange({ ...step, face: checked ? 'down' : 'up' })}
      />
    </>
  );
}
