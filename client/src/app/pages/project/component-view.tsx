import { Button } from '@mantine/core';
import {
  ArrowLeft,
  ArrowRight,
  Ellipsis,
  GalleryHorizontalEnd,
  ListTree,
  PanelsTopLeft,
  Pencil,
  Sparkles,
  Split,
  Trash2,
} from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { countOf, kindOf } from '../../../core/scene/kinds.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { frontPainter } from '../../../data/card-layout.ts';
import { moved } from '../../../data/component-order.ts';
import type { Card, Component as CardsComponent, LayoutDocument, WithId } from '../../../data/documents.ts';
import { edits, opensLayouts } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { createLayout, deleteComponent, placeComponents } from '../../../data/project-contents.ts';
import { useProjectLayouts } from '../../../data/queries.ts';
import { startLayout } from '../../../data/start-layout.ts';
import { useCardTable } from '../../../data/table/use-card-table.ts';
import { useComputedCards } from '../../../data/table/use-computed-cards.ts';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { Loading, Placeholder, Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';
import { newZoneId } from '../editor/new-zone-id.ts';
import { CardEditor } from './card-editor.tsx';
import { CardGrid } from './card-grid.tsx';
import { ComponentDetails } from './component-details.tsx';
import { ComponentLayouts } from './component-layouts.tsx';
import { LayoutsByColumn } from './layouts-by-column.tsx';
import css from './project.module.css';
import { useAccess } from './project-gate.tsx';
import type { TableTarget } from './table/use-table-cursor.ts';

/** The spreadsheet, with all it needs, is loaded when a component is first shown. */
const TablePane = lazy(() =>
  import('./table/table-pane.tsx').then(({ TablePane }) => ({ default: TablePane })),
);

const ChecksPane = lazy(() =>
  import('./table/checks-pane.tsx').then(({ ChecksPane }) => ({ default: ChecksPane })),
);
const StatisticsPane = lazy(() =>
  import('./table/statistics-pane.tsx').then(({ StatisticsPane }) => ({ default: StatisticsPane })),
);

const VIEWS = [
  { id: 'table', label: 'Table' },
  { id: 'cards', label: 'Cards' },
  { id: 'checks', label: 'Checks' },
  { id: 'statistics', label: 'Statistics' },
] as const;
type ViewId = (typeof VIEWS)[number]['id'];

const NO_LAYOUTS: readonly WithId<LayoutDocument>[] = [];

/** Pages that know one's own projects alone. */
const pagesOfOwn = (project: Project, component: string): readonly MenuItem[] => [
  { label: 'All cards of the project', icon: <ListTree size={15} />, to: `/cardlist2?deck=${project.id}` },
  {
    label: 'Workspace',
    icon: <PanelsTopLeft size={15} />,
    to: `/workspace?deck=${project.id}&component=${component}`,
  },
];

const complain = (error: unknown) =>
  toasts.show(describeError(error), { type: 'error', autoCloseTime: 8_000, closeOnClick: false });

/** One component: its layout and its cards. */
export function ComponentView({
  project,
  component: stored,
  all,
}: {
  project: Project;
  component: WithId<CardsComponent>;
  /** All components of the project. */
  all: readonly WithId<CardsComponent>[];
}) {
  const navigate = useNavigate();
  const access = useAccess();
  const mayEdit = edits(access?.role);
  const shared = opensLayouts(access?.details);
  const { table, state, error, unreadable } = useCardTable(project, stored, !mayEdit);
  const component = state?.component ?? stored;
  const layouts = useProjectLayouts(project, all);
  const [search] = useSearchParams();
  // A link may lead to one card.
  const [editing, setEditing] = useState(search.get('card') ?? undefined);
  const [deleting, setDeleting] = useState(false);
  const [details, setDetails] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [busy, setBusy] = useState(false);
  const layout = layouts.data?.items.find((one) => one.id === component.layoutId);
  const known = layouts.data?.items;
  const list = useComputedCards(state?.cards, state?.component);
  const scene = useFittedLayout(layout?.scene, list, component.columns);
  const front = useMemo(
    () => frontPainter(component, known ?? [], scene ?? layout?.scene ?? newLayout(component.name)),
    [component, known, scene, layout],
  );
  const [view, setView] = useState<ViewId>('table');
  const [target, setTarget] = useState<TableTarget>();
  const kind = kindOf(component.kind);
  const total = useMemo(() => list?.reduce((sum, card) => sum + card.copies, 0) ?? 0, [list]);
  const open = (card: WithId<Card>) => setEditing(card.id);

  const run = (work: () => Promise<unknown>) => {
    setBusy(true);
    work()
      .catch(complain)
      .finally(() => setBusy(false));
  };
  const edit = (id: string) => navigate(`/layouts/edit/${id}?deck=${project.id}&component=${component.id}`);
  const start = (suggested: boolean) =>
    run(async () => {
      if (suggested) {
        await startLayout(project, component, list ?? [], newZoneId);
        return;
      }
      const blank = newLayout(component.name, component.size);
      await edit(await createLayout(blank, { project, component: component.id }));
    });

  const place = all.findIndex(({ id }) => id === component.id);
  const move = (by: -1 | 1) => run(() => placeComponents(project, moved(all, component.id, by)));
  const more: MenuItem[] = [
    { label: 'Details', icon: <Pencil size={15} />, disabled: !mayEdit, onSelect: () => setDetails(true) },
    {
      label: 'Layouts by a column',
      icon: <Split size={15} />,
      disabled: !mayEdit || !layout,
      onSelect: () => setChoosing(true),
    },
    {
      label: 'Flashcards',
      icon: <GalleryHorizontalEnd size={15} />,
      divided: true,
      to: `/flashcards/${project.id}/${component.id}`,
    },
    ...(project.mine ? pagesOfOwn(project, component.id) : []),
    {
      label: 'Move left',
      icon: <ArrowLeft size={15} />,
      divided: true,
      disabled: !mayEdit || place <= 0,
      onSelect: () => move(-1),
    },
    {
      label: 'Move right',
      icon: <ArrowRight size={15} />,
      disabled: !mayEdit || place >= all.length - 1,
      onSelect: () => move(1),
    },
    {
      label: 'Delete component',
      icon: <Trash2 size={15} />,
      divided: true,
      danger: true,
      disabled: !mayEdit,
      onSelect: () => setDeleting(true),
    },
  ];

  return (
    <section className={css.component} aria-label={component.name}>
      <header className={css.bar}>
        <div className={css.facts}>
          <h2>{component.name}</h2>
          <span>
            {countOf(kind, list?.length ?? component.cardCount)}
            {total !== (list?.length ?? total) && `, ${total} with copies`}
          </span>
        </div>
        <ComponentLayouts
          project={project}
          component={component}
          layouts={known ?? NO_LAYOUTS}
          mayEdit={mayEdit}
          shared={shared}
          run={run}
          onStart={start}
          onEdit={edit}
        />
        <Menu width={230} label={`More for ${component.name}`} className={css.more} items={more}>
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </header>

      {error && <Problem title={describeError(error)} />}
      <UnreadableNotices list={unreadable} mayEdit={mayEdit} />
      {!list && !error && (
        <div className={css.waiting}>
          <Loading label="Loading cards" />
          {[0, 1, 2, 3, 4].map((i) => (
            <Placeholder key={i} height={250} radius={9} />
          ))}
        </div>
      )}
      {list && layouts.data && !layout && mayEdit && (
        <section className={css.dress} aria-label="Layout">
          <Sparkles size={22} aria-hidden />
          <div>
            <h3>{component.layoutId ? 'Its layout is gone' : 'How should these cards look?'}</h3>
            <p>
              A layout says where each column goes on a card. We can place {describeColumns(component)} for
              you; you move things afterwards.
            </p>
          </div>
          <Button
            data-tutorial="start-layout"
            loading={busy}
            leftSection={<Sparkles size={16} aria-hidden />}
            onClick={() => start(true)}
          >
            Start a layout from these columns
          </Button>
          <Button variant="default" disabled={busy} onClick={() => start(false)}>
            Empty layout
          </Button>
        </section>
      )}
      {list && (
        <div className={css.views} role="tablist" aria-label="View">
          {VIEWS.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={view === id}
              className={css.view}
              onClick={() => {
                setTarget(undefined);
                setView(id);
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {list && layout && view === 'cards' && (
        <CardGrid
          cards={list}
          columns={component.columns}
          layout={scene ?? layout.scene}
          front={front}
          onOpen={open}
        />
      )}
      {table && state && list && (
        <Suspense fallback={<Placeholder height={480} radius={9} />}>
          {view === 'table' && (
            <TablePane
              project={project}
              table={table}
              state={state}
              painted={list}
              layout={scene}
              front={front}
              target={target}
              onOpenCard={setEditing}
            />
          )}
          {view === 'checks' && (
            <ChecksPane
              component={component}
              cards={list}
              layout={scene}
              layouts={known ?? NO_LAYOUTS}
              readOnly={state.readOnly}
              onGo={(card, column) => {
                setTarget({ card, column });
                setView('table');
              }}
              onAddColumn={(newColumn, card) => {
                setTarget({ card, column: undefined, newColumn });
                setView('table');
              }}
            />
          )}
          {view === 'statistics' && <StatisticsPane component={component} cards={list} />}
        </Suspense>
      )}
      {table && state && (
        <CardEditor
          project={project}
          table={table}
          state={state}
          card={editing}
          front={scene && front}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ComponentDetails
        open={details}
        project={project}
        component={component}
        onClose={() => setDetails(false)}
      />
      <LayoutsByColumn
        open={choosing}
        project={project}
        component={component}
        cards={list ?? []}
        layouts={known ?? []}
        shared={shared}
        onClose={() => setChoosing(false)}
      />
      <Popup open={deleting} onClose={() => setDeleting(false)} title="Delete this component?">
        <p>
          <strong>{component.name}</strong> goes with its {list?.length ?? component.cardCount} cards. This
          cannot be undone.
        </p>
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={() => setDeleting(false)}>
            Keep it
          </Button>
          <Button
            color={DANGER}
            disabled={!list}
            loading={busy}
            onClick={() =>
              run(async () => {
                await deleteComponent(project, component.id, list?.map((card) => card.id) ?? []);
                setDeleting(false);
              })
            }
          >
            Delete component
          </Button>
        </PopupActions>
      </Popup>
    </section>
  );
}

function describeColumns({ columns }: CardsComponent): string {
  const names = columns.slice(0, 3).map(({ name }) => name);
  return names.length > 1
    ? `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
    : (names[0] ?? 'them');
}
