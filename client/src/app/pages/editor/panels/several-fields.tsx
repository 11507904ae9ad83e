import { Copy, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { LayoutFont } from '../../../../core/scene/style/layout-font.ts';
import { MAX_TURN_DEG } from '../../../../core/scene/style/paint.ts';
import type { TextStyle } from '../../../../core/scene/style/text-style.ts';
import type { TextZone } from '../../../../core/scene/zones/text.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import { FontField } from '../../../fonts/font-field.tsx';
import { DELETE, DUPLICATE } from '../commands/edit.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones/zones.ts';
import { ColorField, LengthField, Pair, Section, SelectField } from './fields/fields.tsx';
import { NumberField } from './fields/number-field.tsx';
import type { SetStyle } from './fields/set-style.ts';
import css from './panels.module.css';
import { ArrangeButtons } from './placement/arrange-buttons.tsx';
import { MAX_SIDE_MM } from './placement/place-fields.tsx';
import { MAX_LINE_MM } from './style/line-fields.tsx';
import { LetterButtons, runsRightToLeft } from './text/letter-buttons.tsx';
import { FITS } from './text/text-fields.tsx';

/** A property of several zones: that of the first, and whether the others have it alike. */
interface Shared<T> {
  readonly value: T;
  readonly mixed: boolean;
}

function shared<Z, T>(zones: readonly [Z, ...Z[]], get: (zone: Z) => T): Shared<T> {
  const value = get(zones[0]);
  return { value, mixed: zones.some((zone) => get(zone) !== value) };
}

/** A number that zones have, and its bounds. */
interface NumberProperty<Z> {
  /** Acts of one name that follow each other closely are one. */
  readonly name: string;
  readonly get: (zone: Z) => number;
  readonly set: (zone: Z, value: number) => void;
  readonly min?: number;
  readonly max?: number;
}

type Act<Z> = (recipe: (zone: Z) => void, name: string) => void;

/** A number of several zones, for its field: typed it is that of all of them, counted each goes on from its own. */
function numberField<Z>(zones: readonly [Z, ...Z[]], act: Act<Z>, property: NumberProperty<Z>) {
  const { name, get, set, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = property;
  const within = (value: number) => Math.min(max, Math.max(min, value));
  return {
    ...(property.min !== undefined && { min }),
    ...(property.max !== undefined && { max }),
    ...shared(zones, get),
    onStep: (by: number) => act((zone) => set(zone, within(get(zone) + by)), name),
    onChange: (value: number) => act((zone) => set(zone, within(value)), name),
  };
}

const NO_FONTS: readonly LayoutFont[] = [];

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

/** Sides and corner of a zone, in millimetres. */
const LENGTHS: readonly (NumberProperty<Zone> & { readonly label: string })[] = [
  { name: 'x', label: 'X', get: ({ x }) => x, set: (zone, x) => Object.assign(zone, { x }) },
  { name: 'y', label: 'Y', get: ({ y }) => y, set: (zone, y) => Object.assign(zone, { y }) },
  {
    name: 'w',
    label: 'Width',
    get: ({ w }) => w,
    set: (zone, w) => Object.assign(zone, { w }),
    min: 0,
    max: MAX_SIDE_MM,
  },
  {
    name: 'h',
    label: 'Height',
    get: ({ h }) => h,
    set: (zone, h) => Object.assign(zone, { h }),
    min: 0,
    max: MAX_SIDE_MM,
  },
];
const ROTATION: NumberProperty<Zone> = {
  name: 'rotation',
  get: ({ rotation }) => rotation,
  set: (zone, rotation) => Object.assign(zone, { rotation }),
  min: -MAX_TURN_DEG,
  max: MAX_TURN_DEG,
};
/** In percent. */
const OPACITY: NumberProperty<Zone> = {
  name: 'opacity',
  get: ({ opacity }) => opacity * 100,
  set: (zone, percent) => Object.assign(zone, { opacity: percent / 100 }),
  min: 0,
  max: 100,
};
const LINE: NumberProperty<Zone> = {
  name: 'stroke.width',
  get: ({ stroke }) => stroke.width,
  set: ({ stroke }, width) => Object.assign(stroke, { width }),
  min: 0,
  max: MAX_LINE_MM,
};
const SIZE: NumberProperty<TextZone> = {
  name: 'style.size',
  get: ({ style }) => style.size,
  set: ({ style }, size) => Object.assign(style, { size }),
  min: 1,
  max: 400,
};
const LINE_HEIGHT: NumberProperty<TextZone> = {
  name: 'style.lineHeight',
  get: ({ style }) => style.lineHeight,
  set: ({ style }, lineHeight) => Object.assign(style, { lineHeight }),
  min: 0.5,
  max: 5,
};

function SeveralPlaces({ zones, model }: { zones: readonly [Zone, ...Zone[]]; model: EditorModel }) {
  // Zones that are dragged say where they are.
  const preview = useStore(model.store, (state) => state.preview);
  const [first, ...others] = zones.map((zone) => ({ ...zone, ...preview[zone.id] }));
  const shown = first ? ([first, ...others] as const) : zones;
  const act: Act<Zone> = (recipe, name) =>
    model.actOnEach(
      zones.map(({ id }) => id),
      recipe,
      name,
    );
  return (
    <Section title="Place">
      <Pair>
        {LENGTHS.map((length) => (
          <LengthField
            key={length.name}
            label={length.label}
            model={model}
            {...numberField<Zone>(shown, act, length)}
          />
        ))}
        <NumberField label="Rotation" unit="°" step={5} {...numberField<Zone>(shown, act, ROTATION)} />
        <NumberField label="Opacity" unit="%" step={5} {...numberField(zones, act, OPACITY)} />
      </Pair>
    </Section>
  );
}

function SeveralLooks({ zones, model }: { zones: readonly [Zone, ...Zone[]]; model: EditorModel }) {
  const ids = zones.map(({ id }) => id);
  const act: Act<Zone> = (recipe, name) => model.actOnEach(ids, recipe, name);
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
        <NumberField label="Line" unit="mm" step={0.1} {...numberField(zones, act, LINE)} />
      </Pair>
    </Section>
  );
}

/** Properties of letters that have buttons. */
const BUTTONS: readonly (keyof TextStyle)[] = ['weight', 'italic', 'align', 'vAlign'];

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
  const act: Act<TextZone> = (recipe, name) =>
    model.actOnEach(ids, (zone) => zone.kind === 'text' && recipe(zone), name);
  const setStyle: SetStyle = (key, value) =>
    act((zone) => {
      zone.style[key] = value;
    }, `style.${key}`);
  const of = <K extends keyof TextStyle>(key: K) => shared(texts, ({ style }) => style[key]);
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
        <NumberField label="Size" unit="pt" {...numberField(texts, act, SIZE)} />
        <ColorField label="Text colour" {...of('color')} onChange={(color) => setStyle('color', color)} />
      </Pair>
      <LetterButtons
        style={texts[0].style}
        rightToLeft={texts.every((text) => runsRightToLeft(text.text, text.style))}
        mixed={new Set(BUTTONS.filter((key) => of(key).mixed))}
        setStyle={setStyle}
      />
      <Pair>
        <NumberField label="Line height" step={0.05} {...numberField(texts, act, LINE_HEIGHT)} />
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
