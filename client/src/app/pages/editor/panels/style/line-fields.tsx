import type { Stroke } from '../../../../../core/scene/style/paint.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { ColorField, Pair, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';

/** Widest line around a zone. */
export const MAX_LINE_MM = 50;

/** Dash style of a line. */
type Breaks = 'solid' | 'dashed' | 'dotted';

/** Dashes and gaps as multiples of the line's width. */
const DASHES: Readonly<Record<Breaks, readonly number[]>> = { solid: [], dashed: [4, 2], dotted: [1, 1] };

/** Lengths of dashes and gaps, in millimetres. */
const dashOf = (breaks: Breaks, width: number): number[] =>
  DASHES[breaks].map((length) => Math.round(length * width * 1e3) / 1e3);

/** Dashes of other lengths than those offered (of an imported layout) count as dashed. */
function breaksOf({ dash }: Stroke): Breaks {
  if (dash.length === 0) return 'solid';
  return dash.length === 2 && dash[0] === dash[1] ? 'dotted' : 'dashed';
}

/** The line around a zone: its width, colour, where it lies and whether it is broken. */
export function LineFields({ zone, model }: { zone: Zone; model: EditorModel }) {
  const { stroke } = zone;
  const act = (recipe: (draft: Stroke) => void, key: string) =>
    model.actOn(zone.id, (draft) => recipe(draft.stroke), `stroke.${key}`);
  return (
    <Pair>
      <NumberField
        label="Line"
        unit="mm"
        step={0.1}
        min={0}
        max={MAX_LINE_MM}
        value={stroke.width}
        onChange={(value) =>
          act((draft) => {
            draft.width = Math.max(0, value);
          }, 'width')
        }
      />
      <ColorField
        label="Line colour"
        value={stroke.color}
        onChange={(color) =>
          act((draft) => {
            draft.color = color;
          }, 'color')
        }
      />
      {stroke.width > 0 && (
        <>
          <SelectField
            label="Line lies"
            value={stroke.align}
            options={[
              { value: 'inside', label: 'Inside the edge' },
              { value: 'center', label: 'On the edge' },
              { value: 'outside', label: 'Outside the edge' },
            ]}
            onChange={(align) =>
              act((draft) => {
                draft.align = align;
              }, 'align')
            }
          />
          <SelectField
            label="Line is"
            value={breaksOf(stroke)}
            options={[
              { value: 'solid', label: 'Unbroken' },
              { value: 'dashed', label: 'Dashed' },
              { value: 'dotted', label: 'Dotted' },
            ]}
            onChange={(breaks) =>
              act((draft) => {
                draft.dash = dashOf(breaks, draft.width);
              }, 'dash')
            }
          />
        </>
      )}
    </Pair>
  );
}
