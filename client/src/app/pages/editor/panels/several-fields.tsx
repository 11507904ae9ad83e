import { Copy, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { LayoutFont } from '../../../../core/scene/layout-font.ts';
import { MAX_TURN_DEG } from '../../../../core/scene/paint.ts';
import type { TextStyle } from '../../../../core/scene/text-style.ts';
import type { TextZone } from '../../../../core/scene/zones/text.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import { FontField } from '../../../fonts/font-field.tsx';
import { DELETE, DUPLICATE } from '../commands/edit.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones.ts';
import { ArrangeButtons } from './arrange-buttons.tsx';
import { ColorField, LengthField, Pair, Section, SelectField } from './fields.tsx';
import { LetterButtons } from './letter-buttons.tsx';
import { MAX_LINE_MM } from './line-fields.tsx';
import { NumberField } from './number-field.tsx';
import css from './panels.module.css';
import { MAX_SIDE_MM } from './place-fields.tsx';
import type { SetStyle } from './set-style.ts';
import { FITS } from './text-fields.tsx';

/** A property of several zones: that of the first, and whether the others have it alike. */
interface Shared<T> {
  readonly value: T;
  readonly mixed: boolean;
}

function shared<Z, T>(zones: readonly [Z, ...Z[]], get: (zone: Z) => T): Shared<T> {
  const value = get(zones[0]);
  return { value, mixed: zones.some((zone) => get(zone) !== value) };
}

const NO_FONTS: readonly LayoutFont[] = [];

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Properties that several zones have in common are changed for all of them at once; fields in which they differ say so. */
export function SeveralFields({
  scene,
  ids,
  model,
}: {
  scene: Layout;
  ids: readonly string[];
  model: EditorModel;
}) {
  const zones = allZones(scene.zones).filter(({ id }) => ids.includes(id));
  const [first, ...others] = zones;
  const context = { model, save: () => undefined };
  const texts = zones.filter((zone): zone is TextZone => zone.kind === 'text');
  const [text, ...otherTexts] = texts;
  return (
    <>
      <Section title={`${ids.length} zones`}>
        <ArrangeButtons context={context} several />
        <div className={css.buttons}>
          <ToolButton command={DUPLICATE} context={context}>
            <Copy size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={DELETE} context={context}>
            <Trash2 size={16} aria-hidden />
          </ToolButton>
        </div>
      </Section>
      {text && (
        <SeveralTexts texts={[text, ...otherTexts]} all={texts.length === zones.length} model={model} />
      )}
      {first && <SeveralPlaces zones={[first, ...others]} model={model} />}
      {first && <SeveralLooks zones={[first, ...others]} model={model} />}
    </>
  );
}

/** Numbers of a place, by property. */
type PlaceKey = 'x' | 'y' | 'w' | 'h';
const PLACES: readonly {
  readonly key: PlaceKey;
  readonly label: string;
  readonly min?: number;
  readonly max?: number;
}[] = [
  { key: 'x', label: 'X' },
  { key: 'y', label: 'Y' },
  { key: 'w', label: 'Width', min: 0, max: MAX_SIDE_MM },
  { key: 'h', label: 'Height', min: 0, max: MAX_SIDE_MM },
];

function SeveralPlaces({ zones, model }: { zones: readonly [Zone, ...Zone[]]; model: EditorModel }) {
  // Zones that are dragged say where they are.
  const preview = useStore(model.store, (state) => state.preview);
  const ids = zones.map(({ id }) => id);
  const of = (key: PlaceKey | 'rotation') => shared(zones, (zone) => preview[zone.id]?.[key] ?? zone[key]);
  const act = (recipe: (zone: Zone) => void, key: string) => model.actOnEach(ids, recipe, key);
  const opacity = shared(zones, (zone) => zone.opacity);
  return (
    <Section title="Place">
      <Pair>
        {PLACES.map(({ key, label, min, max }) => (
          <LengthField
            key={key}
            label={label}
            model={model}
            {...(min !== undefined && { min })}
            {...(max !== undefined && { max })}
            {...of(key)}
            onStep={(by) =>
              act((zone) => {
                zone[key] = within(zone[key] + by, min ?? -Infinity, max ?? Infinity);
              }, key)
            }
            onChange={(value) =>
              act((zone) => {
                zone[key] = value;
              }, key)
            }
          />
        ))}
        <NumberField
          label="Rotation"
          unit="°"
          step={5}
          min={-MAX_TURN_DEG}
          max={MAX_TURN_DEG}
          {...of('rotation')}
          onStep={(by) =>
            act((zone) => {
              zone.rotation = within(zone.rotation + by, -MAX_TURN_DEG, MAX_TURN_DEG);
            }, 'rotation')
          }
          onChange={(value) =>
            act((zone) => {
              zone.rotation = value;
            }, 'rotation')
          }
        />
        <NumberField
          label="Opacity"
          unit="%"
          step={5}
          min={0}
          max={100}
          value={opacity.value * 100}
          mixed={opacity.mixed}
          onStep={(by) =>
            act((zone) => {
              zone.opacity = within(zone.opacity + by / 100, 0, 1);
            }, 'opacity')
          }
          onChange={(value) =>
            act((zone) => {
              zone.opacity = within(value / 100, 0, 1);
            }, 'opacity')
          }
        />
      </Pair>
    </Section>
  );
}

function SeveralLooks({ zones, model }: { zones: readonly [Zone, ...Zone[]]; model: EditorModel }) {
  const ids = zones.map(({ id }) => id);
  const act = (recipe: (zone: Zone) => void, key: string) => model.actOnEach(ids, recipe, key);
  const fill = shared(zones, ({ fill }) =>
    fill.kind === 'solid' ? fill.color : fill.kind === 'none' ? '' : fill,
  );
  return (
    <Section title="Fill and line">
      <Pair>
        <ColorField
          label="Fill colour"
          value={typeof fill.value === 'string' ? fill.value : ''}
          mixed={fill.mixed || typeof fill.value !== 'string'}
          onChange={(color) =>
            act((zone) => {
              zone.fill = color === '' ? { kind: 'none' } : { kind: 'solid', color };
            }, 'fill')
          }
        />
        <ColorField
          label="Line colour"
          {...shared(zones, ({ stroke }) => stroke.color)}
          onChange={(color) =>
            act((zone) => {
              zone.stroke.color = color;
            }, 'stroke.color')
          }
        />
        <NumberField
          label="Line"
          unit="mm"
          step={0.1}
          min={0}
          max={MAX_LINE_MM}
          {...shared(zones, ({ stroke }) => stroke.width)}
          onStep={(by) =>
            act((zone) => {
              zone.stroke.width = within(zone.stroke.width + by, 0, MAX_LINE_MM);
            }, 'stroke.width')
          }
          onChange={(width) =>
            act((zone) => {
              zone.stroke.width = width;
            }, 'stroke.width')
          }
        />
      </Pair>
    </Section>
  );
}

const SIZES = { min: 1, max: 400 };
const LINE_HEIGHTS = { min: 0.5, max: 5 };

/** @param all no other zone is among those selected */
function SeveralTexts({
  texts,
  all,
  model,
}: {
  texts: readonly [TextZone, ...TextZone[]];
  all: boolean;
  model: EditorModel;
}) {
  const fonts = useStore(model.store, ({ scene }) => scene.fonts) ?? NO_FONTS;
  const ids = texts.map(({ id }) => id);
  const act = (recipe: (zone: TextZone) => void, key: string) =>
    model.actOnEach(ids, (zone) => zone.kind === 'text' && recipe(zone), key);
  const setStyle: SetStyle = (key, value) =>
    act((zone) => {
      zone.style[key] = value;
    }, `style.${key}`);
  const of = <K extends keyof TextStyle>(key: K) => shared(texts, ({ style }) => style[key]);
  const { style } = texts[0];
  const keys: readonly (keyof TextStyle)[] = ['weight', 'italic', 'align', 'vAlign'];
  return (
    <Section
      title={all ? 'Type' : `Type of ${texts.length === 1 ? 'the text' : `the ${texts.length} texts`}`}
    >
      <FontField
        label="Font"
        {...of('family')}
        fonts={fonts}
        onChange={(chosen, files) => model.setFont(ids, chosen, files)}
      />
      <Pair>
        <NumberField
          label="Size"
          unit="pt"
          {...SIZES}
          {...of('size')}
          onStep={(by) =>
            act((zone) => {
              zone.style.size = within(zone.style.size + by, SIZES.min, SIZES.max);
            }, 'style.size')
          }
          onChange={(size) => setStyle('size', size)}
        />
        <ColorField label="Text colour" {...of('color')} onChange={(color) => setStyle('color', color)} />
      </Pair>
      <LetterButtons style={style} mixed={new Set(keys.filter((key) => of(key).mixed))} setStyle={setStyle} />
      <Pair>
        <NumberField
          label="Line height"
          step={0.05}
          {...LINE_HEIGHTS}
          {...of('lineHeight')}
          onStep={(by) =>
            act((zone) => {
              zone.style.lineHeight = within(zone.style.lineHeight + by, LINE_HEIGHTS.min, LINE_HEIGHTS.max);
            }, 'style.lineHeight')
          }
          onChange={(value) => setStyle('lineHeight', value)}
        />
        <SelectField
          label="Too much text"
          {...shared(texts, ({ fit }) => fit)}
          options={FITS}
          onChange={(fit) =>
            act((zone) => {
              zone.fit = fit;
            }, 'fit')
          }
        />
      </Pair>
    </Section>
  );
}
