import { Button } from '@mantine/core';
import { Mail, RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { getServices } from '../../../data/firebase.ts';
import { describeError } from '../../../data/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import css from './outbox.module.css';

interface OutboxMail {
  email: string;
  requestType: string;
  oobCode: string;
  oobLink: string;
}

const SUBJECTS: Readonly<Record<string, string>> = {
  VERIFY_EMAIL: 'Verify your e-mail address',
  PASSWORD_RESET: 'Set a new password',
  EMAIL_SIGNIN: 'Log in',
};

async function fetchOutbox(): Promise<OutboxMail[]> {
  const response = await fetch(
    `/emulator/v1/projects/${encodeURIComponent(getServices().projectId)}/oobCodes`,
  );
  if (!response.ok) {
    throw new Error(
      response.status === 403 || response.status === 404
        ? 'The outbox is shown on the computer the server runs on, and only while no mail server is set up.'
        : `The server answered ${response.status}.`,
    );
  }
  const body = (await response.json()) as { oobCodes?: OutboxMail[] };
  return [...(body.oobCodes ?? [])].reverse();
}

/** Links are followed on this page's own address, whatever name the server knows itself by. */
function localLink(link: string): string {
  try {
    const url = new URL(link, location.origin);
    return url.pathname + url.search;
  } catch {
    return link;
  }
}

/** The outbox, fetched now, on demand and whenever the window is looked at again. */
function useOutbox() {
  const [data, setData] = useState<OutboxMail[]>();
  const [error, setError] = useState<unknown>();
  const [isFetching, setFetching] = useState(false);
  const refetch = useCallback(() => {
    setFetching(true);
    fetchOutbox()
      .then((mails) => {
        setData(mails);
        setError(undefined);
      }, setError)
      .finally(() => setFetching(false));
  }, []);
  useEffect(() => {
    refetch();
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, [refetch]);
  return { data, error, isFetching, refetch };
}

/** `/outbox`: mails that a server without mail has kept. */
export function Component() {
  const { data, error, isFetching, refetch } = useOutbox();
  const isPending = !data && !error;
  return (
    <Page
      title="Local outbox"
      lead="This server has no mail set up, so what it would send is kept here."
      actions={
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} aria-hidden />}
          loading={isFetching && !isPending}
          onClick={refetch}
        >
          Refresh
        </Button>
      }
    >
      {error !== undefined && <Problem title={describeError(error)} />}
      {isPending && (
        <div className={css.list}>
          <Loading />
          <Placeholder height={68} />
          <Placeholder height={68} />
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState icon={<Mail size={26} />} title="No mail yet">
          Sign up or ask for a new password, and the mail appears here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={css.list}>
          {data.map((mail) => (
            <li key={mail.oobCode} className={css.mail}>
              <Mail size={20} aria-hidden />
              <div>
                <strong>{SUBJECTS[mail.requestType] ?? mail.requestType}</strong>
                <span>to {mail.email}</span>
              </div>
              <Button component="a" href={localLink(mail.oobLink)} size="sm" variant="light">
                Open link
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
