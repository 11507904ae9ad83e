import { Button } from '@mantine/core';
import { ArrowLeft, Snowflake } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeError, isMissing, isRefusal } from '../../../data/server/messages.ts';
import type { OpenedName } from '../../../data/versions/opened.ts';
import { useKeptOpen } from '../../../data/versions/opened-state.ts';
import { EmptyState, Page, Problem } from '../../../ui/page/page.tsx';

const isRefused = (error: unknown): boolean =>
  isRefusal(error) || (error as { code?: unknown } | null)?.code === 'functions/permission-denied';

/** Opens a version, and keeps it open for as long as what is inside is shown. */
export function OpenedGate({
  name: { project, version },
  waiting,
  children,
}: {
  name: OpenedName;
  waiting: ReactNode;
  children: ReactNode;
}) {
  const { data: damaged, error, isFetching, refetch } = useKeptOpen(project, version);
  if (damaged) {
    return (
      <>
        {damaged.length > 0 && (
          <Problem title="Parts of this version are damaged and are not shown.">
            {damaged.slice(0, 5).join(', ')}
            {damaged.length > 5 && ` and ${damaged.length - 5} more`}
          </Problem>
        )}
        {children}
      </>
    );
  }
  if (!error) return waiting;
  const above = (
    <Link to="/decks">
      <ArrowLeft size={15} aria-hidden /> Projects
    </Link>
  );
  if (isMissing(error) || isRefused(error)) {
    return (
      <Page title="No such version" above={above}>
        <EmptyState
          icon={<Snowflake size={26} />}
          title="This version is not here"
          action={
            <Button component={Link} to={`/decks/${project}`}>
              To the project
            </Button>
          }
        >
          It may have been deleted, or it is of a project of somebody who has not invited you.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Version" above={above}>
      <Problem
        title={describeError(error)}
        action={
          <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    </Page>
  );
}
