import { familiesOfFonts, type LayoutFont } from '../../../../../core/scene/style/layout-font.ts';
import type { TextStyle } from '../../../../../core/scene/style/text-style.ts';
import { type FontAxis, findFamily, readAxes } from '../../../../../core/text/fonts/catalogue.ts';
import { Pair } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';

/** Names of the registered OpenType axes and the size of one step. */
const NAMES: Readonly<Record<string, readonly [name: string, unit: string | undefined, step: number]>> = {
  wdth: ['Letter width', '%', 5],
  opsz: ['Optical size', 'pt', 1],
  slnt: ['Slant', '°', 1],
  ital: ['Italic', undefined, 1],
  GRAD: ['Grade', undefined, 10],
};

/** Weight, width and other axes, for fonts that offer more than regular and bold. */
export function AxisFields({
  style,
  fonts,
  onWeight,
  onAxes,
}: {
  style: TextStyle;
  /** The files the layout names. */
  fonts: readonly LayoutFont[];
  onWeight: (weight: number) => void;
  onAxes: (axes: string) => void;
}) {
  const family = familiesOfFonts(fonts).find(({ id }) => id === style.family) ?? findFamily(style.family);
  const faces = family?.faces ?? [];
  const axes = new Map(faces.flatMap((face) => (face.axes ?? []).map((axis) => [axis.tag, axis] as const)));
  const heavy = axes.get('wght');
  const weights = faces.map(({ weight }) => weight);
  const choice = heavy !== undefined || weights.some((weight) => weight !== 400 && weight !== 700);
  axes.delete('wght');
  if (!choice && axes.size === 0) return null;
  const asked = readAxes(style.axes);
  const move = (axis: FontAxis, value: number) => {
    const next = new Map(asked).set(axis.tag, clamp(value, axis.min, axis.max));
    onAxes([...next].map(([tag, at]) => `${tag}=${at}`).join(', '));
  };
  const [least, most] = heavy ? [heavy.min, heavy.max] : [Math.min(...weights), Math.max(...weights)];
  return (
    <Pair>
      {choice && (
        <NumberField
          label="Weight"
          step={heavy ? 10 : 100}
          min={least}
          max={most}
          value={style.weight}
          onChange={(value) => onWeight(Math.round(clamp(value, least, most)))}
        />
      )}
      {[...axes.values()].map((axis) => {
        const [name, unit, step] = NAMES[axis.tag] ?? [`Axis ${axis.tag}`, undefined, 1];
        return (
          <NumberField
            key={axis.tag}
            label={name}
            {...(unit !== undefined && { unit })}
            step={step}
            min={axis.min}
            max={axis.max}
            value={asked.get(axis.tag) ?? axis.default}
            onChange={(value) => move(axis, value)}
          />
        );
      })}
    </Pair>
  );
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
