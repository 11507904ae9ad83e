import { lazy, Suspense, useState } from 'react';
import type { Layout } from '../../../../core/scene/layout.ts';
import type {
  Card,
  Component as CardsComponent,
  LayoutDocument,
  WithId,
} from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { useCardTable } from '../../../../data/table/use-card-table.ts';
import { Placeholder } from '../../../../ui/page/page.tsx';
import { Tabs } from '../../../../ui/page/tabs.tsx';
import css from '../project.module.css';
import type { TableTarget } from '../table/use-table-cursor.ts';

/** The spreadsheet, with all it needs, is loaded when a component is first shown. */
const TablePane = lazy(() =>
  import('../table/table-pane.tsx').then(({ TablePane }) => ({ default: TablePane })),
);

const CardsPane = lazy(() =>
  import('../cards/cards-pane.tsx').then(({ CardsPane }) => ({ default: CardsPane })),
);
const ChecksPane = lazy(() =>
  import('../table/analysis/checks-pane.tsx').then(({ ChecksPane }) => ({ default: ChecksPane })),
);
const StatisticsPane = lazy(() =>
  import('../table/analysis/statistics-pane.tsx').then(({ StatisticsPane }) => ({ default: StatisticsPane })),
);

const VIEWS = [
  { id: 'table', label: 'Table' },
  { id: 'cards', label: 'Cards' },
  { id: 'checks', label: 'Checks' },
  { id: 'statistics', label: 'Statistics' },
] as const;

type ViewId = (typeof VIEWS)[number]['id'];

/** Views of a component's cards: table, painted cards, checks and statistics. */
export function ComponentPanes({
  project,
  component,
  cards: list,
  table,
  state,
  layout,
  layouts,
  fitted: scene,
  front,
  onOpenCard,
}: {
  project: Project;
  component: WithId<CardsComponent>;
  cards: readonly WithId<Card>[];
  table: ReturnType<typeof useCardTable>['table'];
  state: ReturnType<typeof useCardTable>['state'];
  layout: WithId<LayoutDocument> | undefined;
  layouts: readonly WithId<LayoutDocument>[];
  /** The layout with the sizes that all cards share. */
  fitted: Layout | undefined;
  front: (card: Pick<Card, 'cells'>) => Layout;
  onOpenCard: (card: string) => void;
}) {
  const [view, setView] = useState<ViewId>('table');
  const [target, setTarget] = useState<TableTarget>();
  const goTo = (to: TableTarget) => {
    setTarget(to);
    setView('table');
  };
  return (
    <>
      <div className={css.views}>
        <Tabs
          label="View"
          tabs={VIEWS}
          shown={view}
          onShow={(id) => {
            setTarget(undefined);
            setView(id);
          }}
        />
      </div>
      {layout && view === 'cards' && (
        <Suspense fallback={<Placeholder height={480} radius={9} />}>
          <CardsPane
            project={project}
            component={component}
            cards={list}
            layout={scene ?? layout.scene}
            front={front}
            onOpen={({ id }) => onOpenCard(id)}
          />
        </Suspense>
      )}
      {table && state && (
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
              onOpenCard={onOpenCard}
            />
          )}
          {view === 'checks' && (
            <ChecksPane
              component={component}
              cards={list}
              layout={scene}
              layouts={layouts}
              readOnly={state.readOnly}
              onGo={(card, column) => goTo({ card, column })}
              onAddColumn={(newColumn, card) => goTo({ card, column: undefined, newColumn })}
            />
          )}
          {view === 'statistics' && <StatisticsPane component={component} cards={list} />}
        </Suspense>
      )}
    </>
  );
}
