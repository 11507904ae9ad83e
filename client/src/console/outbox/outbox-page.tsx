import { Button } from '@mantine/core';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { type Column, Rows } from '../parts/rows.tsx';
import { Code, CopyButton, Facts } from '../parts/small.tsx';
import { ask, emulator, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import css from './outbox.module.css';

interface OutboxMail {
  readonly email: string;
  readonly requestType: string;
  readonly oobCode: string;
  readonly oobLink: string;
}

/** Polling interval for new mail, in milliseconds. */
const EVERY_MS = 2_000;

const SUBJECTS: Readonly<Record<string, string>> = {
  VERIFY_EMAIL: 'Verify the e-mail address',
  VERIFY_AND_CHANGE_EMAIL: 'Change the e-mail address',
  PASSWORD_RESET: 'Set a new password',
  EMAIL_SIGNIN: 'Sign in by link',
  RECOVER_EMAIL: 'Take the old address back',
};

const COLUMNS: readonly Column<OutboxMail>[] = [
  { name: 'To', cell: ({ email }) => email },
  { name: 'About', width: 240, cell: ({ requestType }) => SUBJECTS[requestType] ?? requestType },
];

/** Mails that are kept instead of sent. */
export function Component() {
  const { data, error } = useAsk(
    'outbox',
    () => ask<{ oobCodes?: OutboxMail[] }>(emulator('oobCodes')),
    EVERY_MS,
  );
  const [code, setCode] = useState<string>();
  const mails = data && [...(data.oobCodes ?? [])].reverse();
  const chosen = mails?.find(({ oobCode }) => oobCode === code);
  return (
    <ConsolePage title="Outbox" lead="Mail that is kept here instead of sent; a link that was used goes away">
      <Panes columns={chosen ? 'minmax(0, 1.2fr) minmax(0, 1fr)' : 'minmax(0, 1fr)'}>
        <Pane label="Mails">
          {error !== undefined && !data && <Problem title={words(error)} />}
          {mails?.length === 0 ? (
            <Quiet icon={<Mail size={30} />} title="No mail">
              Sign up, or ask for a new password, and the mail appears here.
            </Quiet>
          ) : (
            (data || error === undefined) && (
              <Rows
                label="Mails"
                columns={COLUMNS}
                rows={mails}
                keyOf={({ oobCode }) => oobCode}
                chosen={code}
                onChoose={({ oobCode }) => setCode(oobCode)}
              />
            )
          )}
        </Pane>
        {chosen && (
          <Pane label="Mail" padded head={<h2>{SUBJECTS[chosen.requestType] ?? chosen.requestType}</h2>}>
            <div className={css.mail}>
              <Facts
                facts={[
                  ['To', chosen.email],
                  [
                    'Code',
                    <>
                      <code>{chosen.oobCode}</code>{' '}
                      <CopyButton key="copy" text={chosen.oobCode} label="Copy the code" />
                    </>,
                  ],
                ]}
              />
              <Code>{chosen.oobLink}</Code>
              <Button component="a" href={chosen.oobLink} target="_blank" rel="noreferrer" size="sm">
                Open the link
              </Button>
            </div>
          </Pane>
        )}
      </Panes>
    </ConsolePage>
  );
}
