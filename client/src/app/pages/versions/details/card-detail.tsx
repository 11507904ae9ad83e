import { useMemo } from 'react';
import { type CardDifference, cellsOf } from '../../../../core/versions/cards.ts';
import type { ComponentDifference } from '../../../../core/versions/components.ts';
import { type Component, componentSchema, type WithId } from '../../../../data/documents/documents.ts';
import { frontPainter } from '../../../../data/layouts/card-layout.ts';
import { edits } from '../../../../data/project/members.ts';
import { useComponents, useLayouts } from '../../../../data/project/queries.ts';
import { computedCards } from '../../../../data/table/formula/formula.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { useOpenProject } from '../../project/project-gate.tsx';
import css from '../comparison.module.css';
import { useComparison } from '../comparison-context.ts';
import { CardChanges } from './card-changes.tsx';
import { DetailFrame, RestoreButton } from './detail-frame.tsx';
import { useCardRestoring } from './use-card-restoring.ts';

const WIDTH_PX = 230;

const KINDS: Readonly<Record<CardDifference['change'], string>> = {
  added: 'New card',
  removed: 'Card that is gone',
  changed: 'Changed card',
  moved: 'Moved card',
};

/** A card in both states: how it looks, and its cells word by word. */
export function CardDetail({ card, of }: { card: CardDifference; of: ComponentDifference }) {
  const { project, role } = useOpenProject();
  const component = useComponents(project).data?.items.find(({ id }) => id === card.component);
  const kind = `${KINDS[card.change]} of ${of.name}`;
  if (component && edits(role)) return <Restorable card={card} component={component} kind={kind} />;
  return (
    <DetailFrame title={card.name} kind={kind}>
      <Looks card={card} component={component} />
      <CardChanges card={card} />
      {!component && (
        <p className={css.hint}>Its component is gone: restore that, and the card comes with it.</p>
      )}
    </DetailFrame>
  );
}

function Restorable({
  card,
  component,
  kind,
}: {
  card: CardDifference;
  component: WithId<Component>;
  kind: string;
}) {
  const { project } = useOpenProject();
  const restoring = useCardRestoring(project, component);
  return (
    <DetailFrame
      title={card.name}
      kind={kind}
      restore={
        <RestoreButton
          label={card.change === 'added' ? 'Take out' : 'Restore'}
          of={card.name}
          busy={!restoring.ready}
          onRestore={() => restoring.card(card)}
        />
      }
    >
      <Looks card={card} component={component} />
      <CardChanges
        card={card}
        onRestore={restoring.ready ? (cell) => restoring.cell(card, cell) : undefined}
      />
    </DetailFrame>
  );
}

/** The card drawn as it was and is, by the layouts of today. */
function Looks({ card, component }: { card: CardDifference; component: WithId<Component> | undefined }) {
  const { project } = useOpenProject();
  const { labels } = useComparison();
  const layouts = useLayouts(project).data?.items;
  const looks = useMemo(() => {
    if (!component || !layouts || !componentSchema.safeParse(component).success) return [];
    const own = layouts.find(({ id }) => id === component.layoutId)?.scene;
    if (!own) return [];
    const front = frontPainter(component, layouts, own);
    return [card.before, card.after].flatMap((fields, at) => {
      if (!fields) return [];
      const plain = { id: card.id, order: 0, copies: 1, cells: cellsOf(fields) };
      const [computed = plain] = computedCards([plain], component);
      return [{ label: labels[at] ?? '', cells: computed.cells, layout: front(computed) }];
    });
  }, [card, component, layouts, labels]);
  if (looks.length === 0) return null;
  return (
    <div className={css.pictures}>
      {looks.map(({ label, cells, layout }) => (
        <figure key={label}>
          <PaintedCard
            layout={layout}
            cells={cells}
            columns={component?.columns ?? []}
            width={WIDTH_PX}
            label=""
          />
          <figcaption>{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}
