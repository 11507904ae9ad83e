import { Button } from '@mantine/core';
import { ArrowLeft, LayoutTemplate, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { runsIn } from '../../../core/imposition/job/print-runs.ts';
import type {
  Card,
  Component as CardComponent,
  LayoutDocument,
  PrintRunDocument,
  WithId,
} from '../../../data/documents/documents.ts';
import { useLearning } from '../../../data/learning.ts';
import { usePrintRuns } from '../../../data/project/printing.ts';
import { useCards, useComponents, useLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useComputedCards } from '../../../data/table/formula/use-computed-cards.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { ProjectGate, useProject } from '../project/project-gate.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ANY, wantedCards } from './filters.ts';
import css from './flashcards.module.css';
import { Learn } from './learn.tsx';
import { Odds } from './odds.tsx';
import { Pile } from './pile.tsx';
import { Proof } from './proof.tsx';
import { useChanged } from './use-changed.ts';
import { useFaces } from './use-faces.ts';

const NO_CARDS: readonly WithId<Card>[] = [];
const NO_RUNS: readonly WithId<PrintRunDocument>[] = [];

const TABS = [
  { id: 'look', label: 'Look through' },
  { id: 'learn', label: 'Learn' },
  { id: 'proof', label: 'Proofread' },
  { id: 'odds', label: 'Odds' },
] as const;
type Tab = (typeof TABS)[number]['id'];

/** `/flashcards/{projectId}/{componentId}` */
export function Component() {
  const { deckId: projectId = '' } = useParams();
  return (
    <ProjectGate key={projectId} project={projectId}>
      <Flashcards />
    </ProjectGate>
  );
}

function Flashcards() {
  const { componentId = '' } = useParams();
  const project = useProject();
  const { data: components, error: componentsError } = useComponents(project);
  const { data, error: cardsError } = useCards(project, componentId);
  const component = components?.items.find(({ id }) => id === componentId);
  const { data: layouts, error: layoutsError } = useLayouts(project);
  const cards = useComputedCards(component && data?.items, component) ?? NO_CARDS;
  const failure = componentsError ?? cardsError ?? layoutsError;
  const home = `/decks/${project.id}?component=${componentId}`;
  return (
    <Page
      above={
        <Link to={home}>
          <ArrowLeft size={15} aria-hidden /> {component?.name ?? 'Project'}
        </Link>
      }
      title="Flashcards"
      lead="One card at a time, to look through a deck, to learn it or to proofread it. Arrow keys go on and back, the space bar turns a card over."
    >
      {failure && <Problem title={describeError(failure)} />}
      {(!components || !data || !layouts) && !failure && (
        <>
          <Loading label="Loading cards" />
          <Placeholder height={480} radius={16} />
        </>
      )}
      {components && !component && <Problem title="This component is not in the project." />}
      {component && data && layouts && cards.length === 0 && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="No cards yet"
          action={
            <Button component={Link} to={home}>
              To the component
            </Button>
          }
        >
          Flashcards show the cards of a component as its layout draws them.
        </EmptyState>
      )}
      {component && cards.length > 0 && layouts && (
        <Deck key={component.id} component={component} cards={cards} layouts={layouts.items} />
      )}
    </Page>
  );
}

/** A component's cards in one of the ways to use them. */
function Deck({
  component,
  cards,
  layouts,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  layouts: readonly WithId<LayoutDocument>[];
}) {
  const project = useProject();
  const [tab, setTab] = useState<Tab>('look');
  const [wanted, setWanted] = useState(ANY);
  const all = usePrintRuns(project).data?.items;
  const runs = useMemo(() => (all ? runsIn(all, undefined) : NO_RUNS), [all]);
  const changed = useChanged(component, cards, layouts, runs, wanted.since);
  const shown = useMemo(() => wantedCards(cards, wanted, changed.ids), [cards, wanted, changed.ids]);
  // Texts that all cards set alike are fitted to all of them, whatever is left out here.
  const facesOf = useFaces(component, cards, layouts);
  const learning = useLearning(component.id);
  const comparing = wanted.since > 0 && !changed.ids;
  const painted = component.layoutId !== null;
  const needsLayout = !painted && (tab === 'look' || tab === 'proof');
  const shared = { component, cards: shown, facesOf };
  return (
    <div className={css.deck}>
      <div className={css.bar}>
        <Tabs label="Use of the cards" tabs={TABS} shown={tab} onShow={setTab} />
        <FilterBar component={component} cards={cards} runs={runs} wanted={wanted} onWanted={setWanted} />
      </div>
      {changed.failure && <Problem title={changed.failure} />}
      {comparing && !changed.failure && (
        <p role="status" className={css.quiet}>
          Comparing with print {wanted.since}…
        </p>
      )}
      {!comparing && shown.length === 0 && (
        <EmptyState
          icon={<SearchX size={26} />}
          title="No card is like that"
          action={
            <Button variant="default" onClick={() => setWanted(ANY)}>
              Show all cards
            </Button>
          }
        >
          {wanted.since > 0
            ? `No card looks different from print ${wanted.since}, among those with this status and tag.`
            : 'None of the cards has this status and tag.'}
        </EmptyState>
      )}
      {shown.length > 0 && needsLayout && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="These cards have no layout yet"
          action={
            <Button component={Link} to={`/layouts/${project.id}/${component.id}`}>
              Choose a layout
            </Button>
          }
        >
          Looking through and proofreading show the cards as their layout draws them. You can learn them from
          their texts without one.
        </EmptyState>
      )}
      {shown.length > 0 && !needsLayout && tab === 'look' && (
        <Pile {...shared} project={project} all={cards} learning={learning} />
      )}
      {shown.length > 0 && tab === 'learn' && <Learn {...shared} learning={learning} />}
      {shown.length > 0 && !needsLayout && tab === 'proof' && (
        <Proof {...shared} project={project} learning={learning} />
      )}
      {shown.length > 0 && tab === 'odds' && <Odds component={component} cards={shown} />}
    </div>
  );
}
