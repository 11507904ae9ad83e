import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Users } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router';
import { isolated, withoutTurns } from '../../../core/text/names.ts';
import { languageNames } from '../../../core/translation/language-names.ts';
import type { Role } from '../../../data/documents/documents.ts';
import {
  acceptInvitation,
  ROLE_NAMES,
  ROLE_WORDS,
  readInvitation,
  type ShownInvitation,
} from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { useAttempt } from '../../use-attempt.ts';

/** `/invitations/{owner}/{project}/{invitation}`: what one is invited to, before one accepts. */
export function Component() {
  const { owner = '', deck: project = '', invitation = '' } = useParams();
  const name = { ownerId: owner, deckId: project, invitation };
  const navigate = useNavigate();
  const { busy, failure, attempt } = useAttempt();
  const { data, error } = useQuery({
    queryKey: ['invitation', owner, project, invitation],
    queryFn: () => readInvitation(name),
    retry: false,
  });
  const accept = async () => {
    await attempt(async () => {
      await acceptInvitation(name);
      await navigate(`/decks/${project}`);
    });
  };
  const problem = failure ?? (error ? reasonOf(error) : undefined);
  return (
    <Page
      title="Invitation"
      above={
        <Link to="/decks">
          <ArrowLeft size={15} aria-hidden /> Projects
        </Link>
      }
    >
      {problem && <Problem title={problem} />}
      {!data && !error && (
        <>
          <Loading label="Loading invitation" />
          <Placeholder height={260} radius={16} />
        </>
      )}
      {data && (
        <EmptyState
          icon={<Users size={26} />}
          title={withoutTurns(data.deckName) || 'A project'}
          action={<Ways data={data} project={project} busy={busy} accept={() => void accept()} />}
        >
          {wordsOf(data)}
        </EmptyState>
      )}
    </Page>
  );
}

/** Accepts the invitation, or opens a project that the user is in already. */
function Ways({
  data,
  project,
  busy,
  accept,
}: {
  data: ShownInvitation;
  project: string;
  busy: boolean;
  accept: () => void;
}) {
  const open = (variant: string) => (
    <Button component={Link} to={`/decks/${project}`} variant={variant}>
      Open the project
    </Button>
  );
  if (!data.gains) return open('filled');
  const join = (
    <Button loading={busy} onClick={accept}>
      {data.held === undefined ? `Join as ${nameOf(data.role)}` : 'Accept'}
    </Button>
  );
  if (data.held === undefined) return join;
  return (
    <Group justify="center">
      {join}
      {open('default')}
    </Group>
  );
}

const nameOf = (role: Role): string => ROLE_NAMES[role].toLowerCase();

/** The role with its article. */
const oneOf = (role: Role): string => `${/^[eo]/.test(role) ? 'an' : 'a'} ${nameOf(role)}`;

/** The invitation in a sentence or two. */
function wordsOf({ invitedBy, role, languages, held, gains }: ShownInvitation): string {
  if (held !== undefined && !gains)
    return `You are in this project already, as ${oneOf(held)}: this invitation gives you nothing further.`;
  const inviting = `${isolated(invitedBy) || 'Somebody'} invites you as ${nameOf(role)}${languages.length > 0 ? ` of ${languageNames(languages)}` : ''}`;
  const before = held === undefined ? '' : `; so far you are ${oneOf(held)}`;
  return `${inviting}${before}. ${ROLE_WORDS[role]}.`;
}

/** The server says why an invitation does not hold better than a list of codes could. */
function reasonOf(error: Error): string {
  const code = String((error as { code?: unknown }).code ?? '');
  return /failed-precondition|permission-denied/.test(code) ? error.message : describeError(error);
}
