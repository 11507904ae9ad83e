import { isolated } from '../../../../core/text/names.ts';
import type { CardDifference } from '../../../../core/versions/cards.ts';
import type { ComponentDifference } from '../../../../core/versions/components.ts';
import type { Component, WithId } from '../../../../data/documents/documents.ts';
import { edits } from '../../../../data/project/members.ts';
import { useComponents } from '../../../../data/project/queries.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { useOpenProject } from '../../project/project-gate.tsx';
import css from '../comparison.module.css';
import { CardChanges } from './card-changes.tsx';
import { DetailFrame, RestoreButton } from './detail-frame.tsx';
import { useCardRestoring } from './use-card-restoring.ts';
import { useLooks } from './use-looks.ts';

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
  const kind = `${KINDS[card.change]} of ${isolated(of.name)}`;
  if (component && edits(role)) return <Restorable card={card} of={of} component={component} kind={kind} />;
  return (
    <DetailFrame title={card.name} kind={kind}>
      <Looks card={card} of={of} />
      <CardChanges card={card} />
      {!component && (
        <p className={css.hint}>Its component is gone: restore that, and the card comes with it.</p>
      )}
    </DetailFrame>
  );
}

function Restorable({
  card,
  of,
  component,
  kind,
}: {
  card: CardDifference;
  of: ComponentDifference;
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
      <Looks card={card} of={of} />
      <CardChanges
        card={card}
        onRestore={restoring.ready ? (cell) => restoring.cell(card, cell) : undefined}
      />
    </DetailFrame>
  );
}

/** The card drawn as it was and is, each time by the layouts and with the images of that state. */
function Looks({ card, of }: { card: CardDifference; of: ComponentDifference }) {
  const looks = useLooks(card, of);
  if (looks.length === 0) return null;
  return (
    <div className={css.pictures}>
      {looks.map(({ label, cells, columns, layout }) => (
        <figure key={label}>
          <PaintedCard layout={layout} cells={cells} columns={columns} width={WIDTH_PX} label="" />
          <figcaption>{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}
