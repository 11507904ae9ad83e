import { Button } from '@mantine/core';
import type { Node as ProseNode } from 'prosemirror-model';
import { type EditorState, NodeSelection } from 'prosemirror-state';
import type { ReactNode } from 'react';
import { NO_CARD } from '../../../../core/book/cards/cards-check.ts';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import { CALLOUT_KINDS } from '../../../../core/book/document/schema.ts';
import { CALLOUT_NAMES } from '../../../../core/book/typesetting/callout-title.ts';
import { ImageField } from '../../../images/image-field.tsx';
import { noTermHere } from '../commands/no-term.ts';
import css from '../rulebook.module.css';
import { LIVE_NAMES } from '../state/node-views.ts';
import type { RulebookEditor } from '../state/rulebook-editor.ts';
import { Choice, NamesField, TextField } from './attribute-fields.tsx';
import { ColumnField } from './column-field.tsx';

/** Names of the project that fields offer. */
export interface Choices {
  readonly cards: readonly string[];
  readonly icons: readonly string[];
  readonly components: readonly string[];
}

type SetAttrs = (attrs: Readonly<Record<string, unknown>>) => void;

interface Chosen {
  readonly node: ProseNode;
  readonly pos: number;
}

const WITH_FIELDS: ReadonlySet<string> = new Set([
  'callout',
  'columns',
  'definition',
  'tableBlock',
  'figure',
  'cards',
  'pageBreak',
  'live',
  'icon',
  'card',
  'term',
  'reference',
  'value',
  'rule',
]);

/** The selected node, or the innermost around the cursor, that has fields. */
export function nodeWithFields({ selection }: EditorState): Chosen | undefined {
  if (selection instanceof NodeSelection && WITH_FIELDS.has(selection.node.type.name)) {
    return { node: selection.node, pos: selection.from };
  }
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (WITH_FIELDS.has(node.type.name)) return { node, pos: $from.before(depth) };
  }
  return undefined;
}

const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
const numbers = (...values: number[]) => values.map((value) => ({ value: `${value}`, label: `${value}` }));

const SHORT = 60;
const shortened = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);

/** Blocks that references may point to. */
function targets(doc: ProseNode): { value: string; label: string }[] {
  const list: { value: string; label: string }[] = [];
  doc.descendants((node) => {
    const { name } = node.type;
    const words = name === 'definition' ? node.attrs.term : node.textContent;
    if (['heading', 'rule', 'definition', 'tableBlock', 'figure'].includes(name) && node.attrs.id !== '') {
      list.push({ value: node.attrs.id, label: shortened(words || name) });
    }
    return !node.inlineContent;
  });
  return list;
}

function definitions(doc: ProseNode): { value: string; label: string }[] {
  const list: { value: string; label: string }[] = [];
  doc.descendants((node) => {
    if (node.type.name === 'definition') list.push({ value: node.attrs.id, label: node.attrs.term });
    return !node.inlineContent;
  });
  return list;
}

const SHOWS = [
  { value: 'title', label: 'Title' },
  { value: 'number', label: 'Number' },
  { value: 'page', label: 'Page' },
];
const BREAKS = [
  { value: 'page', label: 'Next page' },
  { value: 'right', label: 'Next right page' },
  { value: 'column', label: 'Next column' },
];
const PLACES = [
  { value: 'column', label: 'In the column' },
  { value: 'across', label: 'Across the page' },
  { value: 'top', label: 'At the top of a column' },
];
const WIDTHS = [25, 33, 50, 67, 75, 100].map((value) => ({ value: `${value}`, label: `${value} %` }));

/**
 * @param column fields of the column of a table
 * @param toText goes on in the text of the block
 */
function fieldsOf(
  chosen: Chosen,
  doc: ProseNode,
  choices: Choices,
  set: SetAttrs,
  column: ReactNode,
  toText: () => void,
): ReactNode {
  const { attrs, type } = chosen.node;
  switch (type.name) {
    case 'callout':
      return (
        <>
          <Choice
            label="Kind"
            value={attrs.kind}
            options={CALLOUT_KINDS.map((kind) => ({ value: kind, label: CALLOUT_NAMES[kind] }))}
            onChange={(kind) => set({ kind })}
          />
          <TextField label="Own title" value={attrs.title} onChange={(title) => set({ title })} />
        </>
      );
    case 'columns':
      return (
        <Choice
          label="Columns"
          value={`${attrs.count}`}
          options={numbers(1, 2, 3)}
          onChange={(count) => set({ count: Number(count) })}
        />
      );
    case 'rule':
      return (
        <Choice
          label="Depth"
          value={`${attrs.depth}`}
          options={numbers(1, 2, 3)}
          onChange={(depth) => set({ depth: Number(depth) })}
        />
      );
    case 'tableBlock':
      return (
        <>
          <Choice
            label="Head rows, repeated on each page"
            value={`${attrs.headRows}`}
            options={numbers(0, 1, 2, 3)}
            onChange={(rows) => set({ headRows: Number(rows) })}
          />
          {column}
        </>
      );
    case 'definition':
      return (
        <>
          <TextField
            label="Term"
            value={attrs.term}
            required
            onChange={(term) => set({ term })}
            onEnter={toText}
          />
          <NamesField
            label="Other forms, one per line"
            values={attrs.variants}
            most={LIMITS.names}
            onChange={(variants) => set({ variants })}
          />
          <NamesField
            label="Words to avoid, one per line"
            values={attrs.forbidden}
            most={LIMITS.names}
            onChange={(forbidden) => set({ forbidden })}
          />
        </>
      );
    case 'figure':
      return (
        <>
          <ImageField
            label="Picture"
            value={attrs.source === '?' ? '' : attrs.source}
            maxLength={LIMITS.title}
            onChange={(source) => set({ source: source || '?' })}
          />
          <TextField
            label="Description for people who cannot see it"
            value={attrs.alt}
            maxLength={2_000}
            onChange={(alt) => set({ alt })}
          />
          <Choice label="Place" value={attrs.place} options={PLACES} onChange={(place) => set({ place })} />
          <Choice
            label="Width"
            value={`${Math.round(attrs.width * 100)}`}
            options={WIDTHS}
            onChange={(width) => set({ width: Number(width) / 100 })}
          />
        </>
      );
    case 'cards': {
      const own: readonly string[] = attrs.names.filter((name: string) => name !== NO_CARD);
      return (
        <>
          <Choice
            label="Add a card"
            value={NO_CARD}
            options={named(choices.cards)}
            onChange={(name) => set({ names: [...own, name].slice(0, 20) })}
          />
          <NamesField
            label="Cards, one per line"
            values={own}
            most={20}
            least={1}
            onChange={(names) => set({ names })}
          />
        </>
      );
    }
    case 'pageBreak':
      return (
        <Choice label="Text continues" value={attrs.to} options={BREAKS} onChange={(to) => set({ to })} />
      );
    case 'live':
      return (
        <Choice
          label="Shows"
          value={attrs.show}
          options={Object.entries(LIVE_NAMES).map(([value, label]) => ({ value, label }))}
          onChange={(show) => set({ show })}
        />
      );
    default:
      return inlineFieldsOf(chosen, doc, choices, set);
  }
}

function inlineFieldsOf(
  { node: { type, attrs } }: Chosen,
  doc: ProseNode,
  choices: Choices,
  set: SetAttrs,
): ReactNode {
  switch (type.name) {
    case 'icon':
      return (
        <Choice
          label="Icon"
          value={attrs.name}
          options={named(choices.icons)}
          onChange={(name) => set({ name })}
        />
      );
    case 'card':
      return (
        <Choice
          label="Card"
          value={attrs.name}
          options={named(choices.cards)}
          onChange={(name) => set({ name })}
        />
      );
    case 'term': {
      const options = definitions(doc);
      return (
        <>
          <Choice
            label="Definition"
            value={attrs.definition}
            options={options}
            onChange={(definition) => {
              const found = options.find(({ value }) => value === definition);
              set({ definition, ...(attrs.text === '?' && found && { text: found.label }) });
            }}
          />
          <TextField
            label="Words in the text"
            value={attrs.text}
            required
            onChange={(text) => set({ text })}
          />
        </>
      );
    }
    case 'reference':
      return (
        <>
          <Choice
            label="To"
            value={attrs.block}
            options={targets(doc)}
            onChange={(block) => set({ block })}
          />
          <Choice label="Shows" value={attrs.show} options={SHOWS} onChange={(show) => set({ show })} />
        </>
      );
    case 'value':
      return (
        <TextField
          label={`Formula, such as count(Cards, cost > 3), Fireball.cost, or numbers of cards: ${shortened(choices.components.map((name) => (/^\w+$/.test(name) ? name : `[${name}]`)).join(', '))}`}
          value={attrs.formula}
          maxLength={1_000}
          required
          onChange={(formula) => set({ formula })}
        />
      );
    default:
      return null;
  }
}

/** Fields of the block or inline with the cursor. */
export function BlockFields({
  editor,
  state,
  choices,
  fields,
}: {
  editor: RulebookEditor;
  state: EditorState;
  choices: Choices;
  fields: React.Ref<HTMLFieldSetElement>;
}) {
  const chosen = nodeWithFields(state);
  if (!chosen || !editor.view?.editable) return null;
  const set = (attrs: Readonly<Record<string, unknown>>) => {
    const { view } = editor;
    const now = view && nodeWithFields(view.state);
    if (!view || !now || now.node.type !== chosen.node.type) return;
    const tr = view.state.tr;
    for (const [name, value] of Object.entries(attrs)) tr.setNodeAttribute(now.pos, name, value);
    // The node stays selected, so that its other fields stay too.
    if (view.state.selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, now.pos));
    view.dispatch(tr);
  };
  return (
    <fieldset
      ref={fields}
      className={css.fields}
      aria-label="This block"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        editor.view?.focus();
      }}
    >
      {fieldsOf(chosen, state.doc, choices, set, <ColumnField editor={editor} state={state} />, () =>
        editor.view?.focus(),
      )}
      {chosen.node.type.name === 'term' && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            const { view } = editor;
            if (view && noTermHere(view.state, view.dispatch)) view.focus();
          }}
        >
          Not a term here
        </Button>
      )}
    </fieldset>
  );
}
