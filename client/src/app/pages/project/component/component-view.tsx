import { Ellipsis } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { countOf, kindOf } from '../../../../core/scene/kinds.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { isolated } from '../../../../core/text/names.ts';
import { deleteAllCards, TooManyCards } from '../../../../data/cards/cards.ts';
import type {
  Component as CardsComponent,
  LayoutDocument,
  WithId,
} from '../../../../data/documents/documents.ts';
import { frontPainter } from '../../../../data/layouts/card-layout.ts';
import { startLayout } from '../../../../data/layouts/start-layout.ts';
import { moved } from '../../../../data/project/component-order.ts';
import { editorAddress } from '../../../../data/project/layout-address.ts';
import { edits } from '../../../../data/project/members.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { createLayout, deleteComponent, placeComponents } from '../../../../data/project/project-contents.ts';
import { useLayouts } from '../../../../data/project/queries.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { useComputedCards } from '../../../../data/table/formula/use-computed-cards.ts';
import { useCardTable } from '../../../../data/table/use-card-table.ts';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Menu } from '../../../../ui/menu/menu.tsx';
import { Loading, Placeholder, Problem } from '../../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../../mend/unreadable-notices.tsx';
import { useFittedLayout } from '../../../painting/use-group-sizes.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { newZoneId } from '../../editor/new-zone-id.ts';
import { CardEditor } from '../cards/card-editor.tsx';
import css from '../project.module.css';
import { useAccess } from '../project-gate.tsx';
import { ComponentDetails } from './component-details.tsx';
import { ComponentLayouts } from './component-layouts.tsx';
import { type ComponentDialog, componentMenu } from './component-menu.tsx';
import { ComponentPanes } from './component-panes.tsx';
import { LayoutsByColumn } from './layouts-by-column.tsx';
import { StartLayoutNotice } from './start-layout-notice.tsx';

const NO_LAYOUTS: readonly WithId<LayoutDocument>[] = [];

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
  const { table, state, error, unreadable } = useCardTable(project, stored, !mayEdit);
  const component = state?.component ?? stored;
  const tooMany = error instanceof TooManyCards;
  const layouts = useLayouts(project);
  const [search] = useSearchParams();
  // A link may lead to one card.
  const [editing, setEditing] = useState(search.get('card') ?? undefined);
  const [dialog, setDialog] = useState<ComponentDialog>();
  const close = () => setDialog(undefined);
  const [busy, setBusy] = useState(false);
  const layout = layouts.data?.items.find((one) => one.id === component.layoutId);
  const known = layouts.data?.items;
  const list = useComputedCards(state?.cards, state?.component);
  const scene = useFittedLayout(layout?.scene, list, component.columns);
  const front = useMemo(
    () => frontPainter(component, known ?? [], scene ?? layout?.scene ?? newLayout(component.name)),
    [component, known, scene, layout],
  );
  const kind = kindOf(component.kind);
  const total = useMemo(() => list?.reduce((sum, card) => sum + card.copies, 0) ?? 0, [list]);

  const run = (work: () => Promise<unknown>) => {
    setBusy(true);
    work()
      .catch(tellFailure)
      .finally(() => setBusy(false));
  };
  const edit = (id: string) => navigate(editorAddress(project.segment(id), component.id));
  const start = (suggested: boolean) =>
    run(async () => {
      if (suggested) {
        await startLayout(project, component, list ?? [], newZoneId);
        return;
      }
      const blank = newLayout(component.name, component.size);
      await edit(await createLayout(blank, { project, component: component.id }));
    });

  const move = (by: -1 | 1) => run(() => placeComponents(project, moved(all, component.id, by)));
  const more = componentMenu(
    project,
    component,
    all,
    { mayEdit, hasLayout: layout !== undefined },
    { open: setDialog, move },
  );
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
          run={run}
          onStart={start}
          onEdit={edit}
        />
        <Menu width={230} label={`More for ${isolated(component.name)}`} className={css.more} items={more}>
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
        <StartLayoutNotice component={component} busy={busy} onStart={start} />
      )}
      {list && (
        <ComponentPanes
          project={project}
          component={component}
          cards={list}
          table={table}
          state={state}
          layout={layout}
          layouts={known ?? NO_LAYOUTS}
          fitted={scene}
          front={front}
          onOpenCard={setEditing}
        />
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
      <ComponentDetails open={dialog === 'details'} project={project} component={component} onClose={close} />
      <LayoutsByColumn
        open={dialog === 'layouts'}
        project={project}
        component={component}
        cards={list ?? []}
        layouts={known ?? []}
        onClose={close}
      />
      <Confirm
        open={dialog === 'delete'}
        title="Delete this component?"
        keep="Keep it"
        action="Delete component"
        describe={describeError}
        disabled={!list && !tooMany}
        onClose={close}
        run={async () => {
          if (tooMany) await deleteAllCards(project, component.id);
          await deleteComponent(project, component.id, list?.map((card) => card.id) ?? []);
        }}
      >
        <p>
          <strong>{component.name}</strong> goes with{' '}
          {tooMany ? 'all of its' : `its ${list?.length ?? component.cardCount}`} cards. This cannot be
          undone.
        </p>
      </Confirm>
    </section>
  );
}
