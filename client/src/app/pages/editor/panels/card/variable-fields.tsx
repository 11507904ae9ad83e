import { Button, Checkbox, TextInput } from '@mantine/core';
import { Plus, ScanSearch, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Layout, Variable } from '../../../../../core/scene/layout.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_TOKEN_LENGTH } from '../../../../../core/scene/limits.ts';
import { MAX_SOURCE_LENGTH } from '../../../../../core/scene/style/paint.ts';
import { FONT_FAMILIES } from '../../../../../core/text/fonts/catalogue.ts';
import type { MarkupContext } from '../../../../../core/text/markup/braces.ts';
import { isolated } from '../../../../../core/text/names.ts';
import { Menu } from '../../../../../ui/menu/menu.tsx';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import { MarkupField } from '../../../../text/markup-field.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import type { DataContext } from '../fields/binding-field.tsx';
import { ColorField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { cleanToken, IconPlacesDialog } from '../layout/icon-places-dialog.tsx';
import css from '../panels.module.css';

type Kind = Variable['kind'];

const KIND_NAMES: Readonly<Record<Kind, string>> = { text: 'Word', icon: 'Icon', style: 'Style' };

/** The font around it, for a style that changes none. */
const SAME_FONT = '';
const FONTS = [
  { value: SAME_FONT, label: 'As around it' },
  ...FONT_FAMILIES.filter((family) => !family.fallbackOnly).map(({ id, name }) => ({
    value: id,
    label: name,
  })),
];

function newVariable(kind: Kind, taken: readonly Variable[]): Variable {
  const names = new Set(taken.map(({ name }) => name.toLowerCase()));
  let name = KIND_NAMES[kind];
  for (let n = 2; names.has(name.toLowerCase()); n++) name = `${KIND_NAMES[kind]} ${n}`;
  if (kind === 'text') return { kind, name, value: '' };
  if (kind === 'icon') return { kind, name, source: '', size: 1, offset: 0 };
  return { kind, name, style: { weight: 700 } };
}

/** Text that inserts the variable. */
function usage({ kind, name, ...rest }: Variable): string {
  if (kind === 'style') return `{${name}: text} in a text`;
  if (kind !== 'icon') return `{${name}} in a text`;
  const { anywhere, token } = rest as Partial<Extract<Variable, { kind: 'icon' }>>;
  const ways = [
    `{${name}}`,
    ...(token?.trim() ? [token.trim()] : []),
    ...(anywhere ? [`the word ${name}`] : []),
  ];
  return `${ways.join(' or ')} in a text`;
}

function VariableField({
  variable,
  onChange,
  onDelete,
  onLook,
  context,
}: {
  variable: Variable;
  context: MarkupContext;
  onChange: (change: Partial<Variable>, key: string) => void;
  onDelete: () => void;
  /** Shows on which cards an icon stands. */
  onLook: () => void;
}) {
  return (
    <fieldset className={css.variable} aria-label={`${KIND_NAMES[variable.kind]} ${variable.name}`}>
      <div className={css.named}>
        <TextInput
          size="xs"
          label="Name"
          value={variable.name}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => onChange({ name: event.currentTarget.value.replace(/[{}:,]/g, '') }, 'name')}
        />
        <button
          type="button"
          className={bar.tool}
          aria-label={`Delete ${isolated(variable.name)}`}
          onClick={onDelete}
        >
          <Trash2 size={15} aria-hidden />
        </button>
      </div>
      {variable.kind === 'text' && (
        <MarkupField
          size="xs"
          label="Says"
          context={context}
          autosize
          minRows={1}
          maxRows={5}
          maxLength={MAX_TEXT_LENGTH}
          value={variable.value}
          onChange={(event) => onChange({ value: event.currentTarget.value }, 'value')}
        />
      )}
      {variable.kind === 'icon' && (
        <>
          <TextInput
            size="xs"
            label="Image"
            placeholder="Icons/name.png"
            maxLength={MAX_SOURCE_LENGTH}
            value={variable.source}
            onChange={(event) => onChange({ source: event.currentTarget.value }, 'source')}
          />
          <Pair>
            <NumberField
              label="Height"
              unit="%"
              step={5}
              min={5}
              max={2000}
              value={variable.size * 100}
              onChange={(value) => onChange({ size: Math.min(20, Math.max(0.05, value / 100)) }, 'size')}
            />
            <NumberField
              label="Lower by"
              unit="%"
              step={5}
              min={-1000}
              max={1000}
              value={variable.offset * 100}
              onChange={(value) => onChange({ offset: Math.min(10, Math.max(-10, value / 100)) }, 'offset')}
            />
          </Pair>
          <TextInput
            size="xs"
            label="Written as"
            placeholder="[name] or :name:"
            maxLength={MAX_TOKEN_LENGTH}
            value={variable.token ?? ''}
            onChange={(event) => onChange({ token: cleanToken(event.currentTarget.value) }, 'token')}
          />
          <Checkbox
            size="sm"
            label="Wherever the word stands"
            checked={variable.anywhere ?? false}
            onChange={(event) => onChange({ anywhere: event.currentTarget.checked }, 'anywhere')}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<ScanSearch size={14} aria-hidden />}
            onClick={onLook}
          >
            Preview on the cards
          </Button>
        </>
      )}
      {variable.kind === 'style' && (
        <StyleFields style={variable.style} onChange={(style) => onChange({ style }, 'style')} />
      )}
      <small>{usage(variable)}</small>
    </fieldset>
  );
}

type InlineStyle = Extract<Variable, { kind: 'style' }>['style'];

function StyleFields({ style, onChange }: { style: InlineStyle; onChange: (style: InlineStyle) => void }) {
  /** A property that is as around it is not there at all. */
  const put = <K extends keyof InlineStyle>(key: K, value: InlineStyle[K]) => {
    const { [key]: _, ...rest } = style;
    onChange(value === undefined ? rest : { ...rest, [key]: value });
  };
  return (
    <>
      <SelectField
        label="Font"
        value={style.family ?? SAME_FONT}
        options={FONTS}
        onChange={(family) => put('family', family === SAME_FONT ? undefined : family)}
      />
      <Pair>
        <ColorField
          label="Colour"
          value={style.color ?? ''}
          onChange={(color) => put('color', color === '' ? undefined : color)}
        />
        <NumberField
          label="Size"
          unit="%"
          step={5}
          min={5}
          max={2000}
          value={(style.scale ?? 1) * 100}
          onChange={(value) =>
            put('scale', value === 100 ? undefined : Math.min(20, Math.max(0.05, value / 100)))
          }
        />
      </Pair>
      <div className={css.buttons}>
        <Checkbox
          size="sm"
          label="Bold"
          checked={style.weight === 700}
          onChange={(event) => put('weight', event.currentTarget.checked ? 700 : undefined)}
        />
        <Checkbox
          size="sm"
          label="Italic"
          checked={style.italic ?? false}
          onChange={(event) => put('italic', event.currentTarget.checked ? true : undefined)}
        />
      </div>
    </>
  );
}

/** Words, icons and styles that texts of this layout use by their names. */
export function VariableFields({
  scene,
  model,
  data,
}: {
  scene: Layout;
  model: EditorModel;
  data: DataContext;
}) {
  const { variables } = scene;
  const context = useMemo(
    () => ({ variables, columns: data.columns, cells: data.row.cells }),
    [variables, data.columns, data.row.cells],
  );
  /** Index of the icon whose places the dialog shows. */
  const [inspected, setInspected] = useState<number>();
  const add = (kind: Kind) =>
    model.act((draft) => {
      draft.variables.push(newVariable(kind, draft.variables));
    });
  return (
    <Section title="Words, icons and styles">
      {variables.map((variable, at) => (
        <VariableField
          context={context}
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={at}
          variable={variable}
          onChange={(change, key) =>
            model.act(
              (draft) => {
                Object.assign(draft.variables[at] ?? {}, change);
              },
              { mergeKey: `variables.${at}.${key}` },
            )
          }
          onDelete={() =>
            model.act((draft) => {
              draft.variables.splice(at, 1);
            })
          }
          onLook={() => setInspected(at)}
        />
      ))}
      <Menu
        className={css.add ?? ''}
        width={190}
        items={(Object.keys(KIND_NAMES) as Kind[]).map((kind) => ({
          label: KIND_NAMES[kind],
          onSelect: () => add(kind),
        }))}
      >
        <Plus size={14} aria-hidden /> Add a word, icon or style
      </Menu>
      {inspected !== undefined && (
        <IconPlacesDialog
          layout={scene}
          at={inspected}
          rows={data.rows}
          columns={data.columns}
          onClose={() => setInspected(undefined)}
          onApply={(writing) =>
            model.act((draft) => void Object.assign(draft.variables[inspected] ?? {}, writing))
          }
        />
      )}
    </Section>
  );
}
