import { Button } from '@mantine/core';
import { ArrowLeft, Printer } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router';
import { describeError } from '../../../data/messages.ts';
import { useComponents, useDeck } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { ExportView } from './export-view.tsx';

/** `/decks/print/{deck}/{cardType?}` */
export function Component() {
  const { deck = '', cardType } = useParams();
  const navigate = useNavigate();
  const { data: document } = useDeck(deck);
  const { data, error } = useComponents(deck);
  const components = data?.items;
  const shown = components?.find((one) => one.id === cardType) ?? (cardType ? undefined : components?.[0]);
  return (
    <Page
      above={
        <Link to={`/decks/${deck}${cardType ? `?component=${cardType}` : ''}`}>
          <ArrowLeft size={15} aria-hidden /> {document?.name ?? 'Project'}
        </Link>
      }
      title="Export"
      lead="A PDF for your own printer: cut along the marks, sleeve, play."
    >
      {error && <Problem title={describeError(error)} />}
      {!components && !error && (
        <>
          <Loading label="Loading cards" />
          <Placeholder height={420} radius={16} />
        </>
      )}
      {components && !shown && (
        <EmptyState
          icon={<Printer size={26} />}
          title={components.length === 0 ? 'Nothing to print yet' : 'This component is not here'}
          action={
            <Button component={Link} to={`/decks/${deck}`}>
              To the project
            </Button>
          }
        >
          {components.length === 0
            ? 'Import a card list into the project first.'
            : 'It may have been deleted. Choose another in the project.'}
        </EmptyState>
      )}
      {components && shown && (
        <ExportView
          key={shown.id}
          deck={deck}
          deckName={document?.name ?? ''}
          component={shown}
          components={components}
          onComponent={(id) => void navigate(`/decks/print/${deck}/${id}`, { replace: true })}
        />
      )}
    </Page>
  );
}
