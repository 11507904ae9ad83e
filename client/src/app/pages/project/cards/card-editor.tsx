import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { type ComponentProps, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { cellAt } from '../../../../core/records.ts';
import type { Layout, Variable } from '../../../../core/scene/layout.ts';
import {
  CARD_STATUSES,
  type Card,
  type CardStatus,
  type Component as CardsComponent,
  MAX_COPIES,
} from '../../../../data/documents/documents.ts';
import { MAX_CELL_LENGTH } from '../../../../data/import/table.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { Intent } from '../../../../data/table/changes/change.ts';
import { computedCards } from '../../../../data/table/formula/formula.ts';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { Tabs } from '../../../../ui/page/tabs.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { DANGER } from '../../../../ui/theme/theme.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { MarkupField } from '../../../text/markup-field.tsx';
import css from '../project.module.css';
import { CardComments } from './card-comments.tsx';
import { cardName } from './card-grid.tsx';
import { CardOverrides } from './card-overrides.tsx';
import { useLooks } from './use-looks.ts';

/** Brings the text engine along: only for those who take hold of a card. */
const CardLooks = lazy(() => import('./card-looks.tsx'));

const NO_VARIABLES: readonly Variable[] = [];
const NO_CELLS: Readonly<Record<string, string>> = {};
const PREVIEW_WIDTH_PX = 250;
/** Larger, so that zones can be taken hold of. */
const LOOKS_WIDTH_PX = 320;

const TABS = [
  { id: 'cells', label: 'Cells' },
  { id: 'looks', label: 'This card only' },
  { id: 'comments', label: 'Comments' },
] as const;
type Tab = (typeof TABS)[number]['id'];

interface Draft {
  readonly id: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly copies: number;
  readonly status: CardStatus | null;
}

/** Changed cells of a form; no others are written. */
function changesOf(draft: Draft, state: TableState): Intent[] {
  const card = state.byId.get(draft.id);
  if (!card) return [];
  const { component } = state;
  const cells = Object.entries(draft.cells)
    .filter(([key, text]) => cellAt(card.cells, key) !== text)
    .map(([key, text]): Intent => ({ kind: 'cell', card: draft.id, key, text }));
  const copies: Intent[] =
    draft.copies === card.copies
      ? []
      : [
          { kind: 'field', card: draft.id, field: 'copies', value: draft.copies },
          ...(component.copiesColumn === undefined
            ? []
            : [
                {
                  kind: 'cell' as const,
                  card: draft.id,
                  key: component.copiesColumn,
                  text: String(draft.copies),
                },
              ]),
        ];
  return [...cells, ...copies, { kind: 'field', card: draft.id, field: 'status', value: draft.status }];
}

function CellFields({
  component,
  draft,
  context,
  readOnly,
  onCell,
  onChange,
}: {
  component: CardsComponent;
  draft: Draft;
  context: ComponentProps<typeof MarkupField>['context'];
  readOnly: boolean;
  onCell: (key: string, text: string) => void;
  onChange: (change: Partial<Draft>) => void;
}) {
  return (
    <>
      {component.columns
        .filter(({ key, type }) => key !== component.copiesColumn && type !== 'formula' && type !== 'style')
        .map(({ key, name }) => (
          <MarkupField
            key={key}
            label={name}
            context={context}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={MAX_CELL_LENGTH}
            readOnly={readOnly}
            value={cellAt(draft.cells, key)}
            onChange={(event) => onCell(key, event.currentTarget.value)}
          />
        ))}
      <NumberInput
        label="Copies"
        value={draft.copies}
        min={0}
        max={MAX_COPIES}
        allowDecimal={false}
        clampBehavior="strict"
        disabled={readOnly}
        onChange={(value) => onChange({ copies: Number(value) || 0 })}
      />
      <NativeSelect
        label="Status"
        value={draft.status ?? ''}
        data={[{ value: '', label: 'None' }, ...CARD_STATUSES]}
        disabled={readOnly}
        onChange={(event) => onChange({ status: (event.currentTarget.value || null) as CardStatus | null })}
      />
    </>
  );
}

/** The card beside its fields; its zones can be taken hold of while its looks are edited. */
function Preview({
  layout,
  cells,
  columns,
  title,
  editable,
  zone,
  setZone,
  looks,
}: {
  layout: Layout;
  cells: Card['cells'];
  columns: CardsComponent['columns'];
  title: string;
  editable: boolean;
  zone: string;
  setZone: (zone: string) => void;
  looks: ReturnType<typeof useLooks>;
}) {
  return (
    <div className={css.editorPreview}>
      {editable ? (
        <Suspense
          fallback={
            <PaintedCard layout={layout} cells={cells} columns={columns} width={LOOKS_WIDTH_PX} label="" />
          }
        >
          <CardLooks
            layout={layout}
            cells={cells}
            columns={columns}
            width={LOOKS_WIDTH_PX}
            label={`Preview of ${title}`}
            chosen={zone}
            onChoose={setZone}
            looks={looks}
          />
        </Suspense>
      ) : (
        <PaintedCard
          layout={layout}
          cells={cells}
          columns={columns}
          width={PREVIEW_WIDTH_PX}
          label={`Preview of ${title}`}
        />
      )}
    </div>
  );
}

/** A card's cells, looks and comments, with the card beside them. */
export function CardEditor({
  project,
  table,
  state,
  card: id,
  front,
  onClose,
}: {
  project: Project;
  table: CardTable;
  state: TableState;
  card: string | undefined;
  /** Layout of a card's front; it may depend on the text being typed. */
  front: ((card: Pick<Card, 'cells'>) => Layout) | undefined;
  onClose: () => void;
}) {
  const { component } = state;
  const card = id === undefined ? undefined : state.byId.get(id);
  const [draft, setDraft] = useState<Draft>();
  const [tab, setTab] = useState<Tab>('cells');
  const [zone, setZone] = useState('');
  const title = useRef('');
  useEffect(() => {
    if (!card) return;
    // A change from elsewhere does not replace text being typed.
    setDraft((old) =>
      old?.id === card.id
        ? old
        : { id: card.id, cells: card.cells, copies: card.copies, status: card.status ?? null },
    );
  }, [card]);
  useEffect(() => {
    if (id === undefined) return;
    setTab('cells');
    return () => setDraft(undefined);
  }, [id]);
  if (draft) title.current = cardName(draft, component.columns);
  const set = (key: string, text: string) =>
    setDraft((old) => old && { ...old, cells: { ...old.cells, [key]: text } });
  const looks = useLooks(component, draft?.cells ?? {}, set, (columns) =>
    table.run('new style column', [{ kind: 'component', patch: { columns } }]),
  );
  const [shown] = draft && card ? computedCards([{ ...card, cells: draft.cells }], component) : [];
  const layout = shown && front?.(shown);
  const variables = layout?.variables ?? NO_VARIABLES;
  const context = useMemo(
    () => ({ variables, columns: component.columns, cells: shown?.cells ?? NO_CELLS }),
    [variables, component.columns, shown?.cells],
  );

  return (
    <Popup open={card !== undefined} onClose={onClose} title={title.current} width={front ? 900 : 600}>
      {draft && (
        <form
          className={css.editor}
          onSubmit={(event) => {
            event.preventDefault();
            if (state.readOnly) return;
            table.run('edit card', changesOf(draft, table.snapshot()));
            onClose();
          }}
        >
          {layout && shown && (
            <Preview
              layout={layout}
              cells={shown.cells}
              columns={component.columns}
              title={title.current}
              editable={tab === 'looks'}
              zone={zone}
              setZone={setZone}
              looks={looks}
            />
          )}
          <div className={css.fields}>
            <div className={css.fieldTabs}>
              <Tabs
                label="Card"
                tabs={TABS.filter((one) => one.id !== 'looks' || !state.readOnly)}
                shown={tab}
                onShow={setTab}
              />
            </div>
            {tab === 'cells' && (
              <CellFields
                component={component}
                draft={draft}
                context={context}
                readOnly={state.readOnly}
                onCell={set}
                onChange={(change) => setDraft({ ...draft, ...change })}
              />
            )}
            {tab === 'looks' && (
              <CardOverrides layout={layout} chosen={zone} onChoose={setZone} looks={looks} />
            )}
            {tab === 'comments' && (
              <CardComments project={project} component={component.id} card={draft.id} />
            )}
          </div>
          <div className={css.editorActions}>
            <Button
              variant="subtle"
              color={DANGER}
              disabled={state.readOnly}
              onClick={() => {
                table.run('delete card', [{ kind: 'remove', card: draft.id }]);
                onClose();
              }}
            >
              Delete card
            </Button>
            <PopupActions>
              <Button variant="subtle" color="gray" onClick={onClose}>
                {state.readOnly ? 'Close' : 'Cancel'}
              </Button>
              {!state.readOnly && <Button type="submit">Save card</Button>}
            </PopupActions>
          </div>
        </form>
      )}
    </Popup>
  );
}
