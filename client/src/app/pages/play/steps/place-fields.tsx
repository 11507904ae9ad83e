import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import {
  MIDDLE,
  type NewContainer,
  type Placed,
  type PlaceStep,
  placedWords,
  type Supply,
  setOf,
  type Target,
} from '../../../../core/play/protocol/buttons.ts';
import { MAX_NAME } from '../../../../core/play/protocol/limits.ts';
import type { ContainerKind } from '../../../../core/play/protocol/messages.ts';
import { type Part, refOf } from '../../../../core/play/protocol/parts.ts';
import { AREA } from '../../../../core/play/view/arrange.ts';
import { CONTAINER_WORDS } from '../../../../core/play/view/names.ts';
import { usualSight } from '../../../../core/play/view/places.ts';
import { PartField } from './part-field.tsx';
import { SightField } from './sight-field.tsx';

/** The two sorts of places: in a pile or an area, or a spot of the table itself. */
const [INTO, AT] = ['into', 'at'];
/** Positions are kept in tenths of a millimetre. */
const PER_MM = 10;
/** Farthest place from the middle, in millimetres: a limit of the server. */
const MOST_MM = 10_000;

const isContainerKind = (kind: string): kind is ContainerKind => Object.hasOwn(CONTAINER_WORDS, kind);

interface PlaceProps {
  readonly step: PlaceStep;
  readonly parts: readonly Part[];
  readonly supply: Supply;
  readonly onChange: (step: PlaceStep) => void;
}

/** Pieces that a step takes out of the box, or a pile or an area that it makes, and their place on the table. */
export function PlaceFields({ step, parts, supply, onChange }: PlaceProps) {
  const { place, to } = step;
  if ('container' in place) return <ContainerFields step={step} made={place.container} onChange={onChange} />;
  const [first] = parts;
  return (
    <>
      <NativeSelect
        aria-label="Piece"
        value={keyOf(place)}
        data={options(place, supply)}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, place: placedBy(value, place) })}
      />
      <NativeSelect
        aria-label="Place"
        value={'at' in to ? AT : INTO}
        data={[
          ...(first ? [{ value: INTO, label: 'into a pile or area' }] : []),
          { value: AT, label: 'on the table' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...step, to: value === INTO && first ? { into: refOf(first) } : { at: MIDDLE } })
        }
      />
      <TargetFields to={to} parts={parts} onChange={(next) => onChange({ ...step, to: next })} />
      <Checkbox
        label="Face down"
        checked={step.face === 'down'}
        onChange={({ currentTarget: { checked } }) => onChange({ ...step, face: checked ? 'down' : 'up' })}
      />
    </>
  );
}

const keyOf = (place: Placed): string => {
  const set = setOf(place);
  return set === undefined ? `piece ${'pieces' in place ? place.pieces.definition : ''}` : `set ${set}`;
};

/** Sets of the box, then single pieces; what is placed now is among them. */
function options(place: Placed, { stock, sets }: Supply) {
  const all = [
    ...sets.map(({ name, pieces }, no) => ({ value: `set ${no}`, label: `${name} (${pieces})` })),
    ...stock.map(({ no, name }) => ({ value: `piece ${no}`, label: name })),
  ];
  const own = keyOf(place);
  const known = all.some(({ value }) => value === own);
  return known ? all : [{ value: own, label: placedWords(place, { stock, sets }) }, ...all];
}

function placedBy(key: string, before: Placed): Placed {
  if (key === keyOf(before)) return before;
  const [sort, no] = key.split(' ');
  if (sort === 'set') return { rest: { set: Number(no) } };
  return { pieces: { definition: Number(no), copies: 1 } };
}

function TargetFields({
  to,
  parts,
  onChange,
}: {
  to: Target;
  parts: readonly Part[];
  onChange: (to: Target) => void;
}) {
  if ('into' in to) {
    return <PartField label="To" part={to.into} parts={parts} onChange={(into) => onChange({ into })} />;
  }
  if ('within' in to) {
    const { within } = to;
    return (
      <>
        <PartField
          label="To"
          part={within.into}
          parts={parts}
          onChange={(into) => onChange({ within: { ...within, into } })}
        />
        <Spot spot={within} onChange={(spot) => onChange({ within: { ...within, ...spot } })} />
      </>
    );
  }
  return <Spot spot={to.at} onChange={(spot) => onChange({ at: { ...to.at, ...spot } })} />;
}

function Spot({
  spot,
  onChange,
}: {
  spot: { readonly x: number; readonly y: number };
  onChange: (spot: { readonly x: number; readonly y: number }) => void;
}) {
  return (['x', 'y'] as const).map((axis) => (
    <NumberInput
      key={axis}
      size="sm"
      aria-label={axis === 'x' ? 'Right of the middle, in millimetres' : 'Below the middle, in millimetres'}
      suffix={axis === 'x' ? ' mm right' : ' mm down'}
      decimalScale={1}
      min={-MOST_MM}
      max={MOST_MM}
      clampBehavior="strict"
      value={spot[axis] / PER_MM}
      onChange={(value) =>
        onChange({ x: spot.x, y: spot.y, [axis]: Math.round((Number(value) || 0) * PER_MM) })
      }
    />
  ));
}

/** A pile, an area or hands that a step makes. */
function ContainerFields({
  step,
  made,
  onChange,
}: {
  step: PlaceStep;
  made: NewContainer;
  onChange: (step: PlaceStep) => void;
}) {
  const change = (next: NewContainer, more: Partial<PlaceStep> = {}) =>
    onChange({ ...step, ...more, place: { container: next } });
  const changeKind = (kind: ContainerKind) => {
    const { policy: _, size: __, ...rest } = made;
    const isArea = kind === 'zone' || kind === 'tray';
    change(
      { ...rest, kind, ...(isArea && { size: AREA, arrangement: 'grid' }) },
      { each_seat: kind === 'hand' },
    );
  };
  return (
    <>
      <NativeSelect
        aria-label="Kind"
        value={made.kind}
        data={Object.entries(CONTAINER_WORDS).map(([value, { one }]) => ({ value, label: one }))}
        onChange={({ currentTarget: { value } }) => isContainerKind(value) && changeKind(value)}
      />
      <TextInput
        size="sm"
        aria-label="Name"
        maxLength={MAX_NAME}
        value={made.name}
        onChange={({ currentTarget: { value } }) => change({ ...made, name: value })}
      />
      <SightField
        label="Who sees it"
        kind={made.kind}
        policy={made.policy ?? usualSight(made.kind)}
        withSeats={false}
        onChange={(policy) => change({ ...made, policy })}
      />
      {'at' in step.to && (
        <Spot
          spot={step.to.at}
          onChange={(spot) => onChange({ ...step, to: { at: { surface: 0, ...spot } } })}
        />
      )}
    </>
  );
}
