import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, BookOpen } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { rulebookSchema } from '../../../data/documents/documents.ts';
import { readText } from '../../../data/rulebooks/read-text.ts';
import { useLiveDocument } from '../../../data/server/live.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { ProjectGate, useOpenProject } from '../project/project-gate.tsx';
import { RulebookScreen } from './rulebook-screen.tsx';
import { useProjectSource } from './state/use-project-source.tsx';
import 'prosemirror-view/style/prosemirror.css';
import 'prosemirror-gapcursor/style/gapcursor.css';
import 'prosemirror-tables/style/tables.css';

/** `/rulebook-maker/{deckId}/{ruleBookId}` */
export function Component() {
  const { deckId = '', ruleBookId = '' } = useParams();
  return (
    <ProjectGate key={deckId} project={deckId}>
      <Rulebook key={ruleBookId} id={ruleBookId} />
    </ProjectGate>
  );
}

function Rulebook({ id }: { id: string }) {
  const { project } = useOpenProject();
  const { data: rulebook, error } = useLiveDocument(project.rulebook(id), rulebookSchema);
  const text = useQuery({
    queryKey: ['text of a rulebook', project.id, id],
    queryFn: () => readText(project, id),
    // The editor follows the text itself; who opens it again reads it again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: Boolean(rulebook),
  });
  const { source, loaders } = useProjectSource(project);
  const failed = error ?? text.error ?? source.error;
  const back = (
    <Link to={`/decks/${project.id}`}>
      <ArrowLeft size={15} aria-hidden /> Project
    </Link>
  );
  if (rulebook === null || (rulebook && rulebook.deletedAt > 0)) {
    return (
      <Page title="No such rulebook" above={back}>
        <EmptyState
          icon={<BookOpen size={26} />}
          title="This rulebook is not here"
          action={
            <Button component={Link} to={`/decks/${project.id}`}>
              To the project
            </Button>
          }
        >
          It may have been deleted. For a day after that, you can bring it back from the project’s list of
          rulebooks.
        </EmptyState>
      </Page>
    );
  }
  if (failed) {
    return (
      <Page title={rulebook?.title ?? 'Rulebook'} above={back}>
        <Problem title={describeError(failed)} />
      </Page>
    );
  }
  return (
    <>
      {loaders}
      {rulebook && text.data ? (
        <RulebookScreen rulebook={rulebook} text={text.data} source={source} />
      ) : (
        <Page title={rulebook?.title ?? 'Rulebook'} above={back}>
          <Loading label="Loading the rulebook" />
          <Placeholder height={320} radius={16} />
        </Page>
      )}
    </>
  );
}
