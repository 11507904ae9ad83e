import { Button } from '@mantine/core';
import { connectionState } from '@sdk/connection';
import { httpsCallable } from '@sdk/functions';
import { useState } from 'react';
import { useUser } from '../../../data/account/session.ts';
import { useAdminLinks } from '../../../data/admin/admin-role.ts';
import { getCallables, getDb } from '../../../data/server/database.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { Page, Problem } from '../../../ui/page/page.tsx';
import { CardFigure } from '../../prose/card-figure.tsx';
import { gallery } from '../../prose/figures.ts';
import css from './testing.module.css';

/** Asks the server about a project that does not exist: an answer of any kind proves the way there and back. */
async function askServer(): Promise<string> {
  const started = performance.now();
  const ask = httpsCallable<{ deckId: string }, { deleted: number }>(getCallables(), 'deleteDeck');
  await ask({ deckId: 'a-project-that-does-not-exist' });
  return `${Math.round(performance.now() - started)} ms`;
}

/** `/testing2`: what the application knows of itself, and a round trip through each service. */
export function Component() {
  const { host, projectId } = getServices();
  const user = useUser();
  const { admin } = useAdminLinks();
  const { userObject, ready, error, save } = useUserObject();
  const [answer, setAnswer] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const facts: readonly (readonly [string, string])[] = [
    ['Version', `${__APP_VERSION__}, server ${host.version ?? 'unknown'} (${host.mode ?? 'unknown mode'})`],
    ['Project', `${projectId}, region ${host.region ?? 'unknown'}`],
    ['User', `${user.uid}, ${user.email}`],
    ['Claim admin', user.admin ? 'yes' : admin ? 'no, but listed by the host: links only' : 'no'],
    ['Live connection', connectionState(getDb())],
    ['Settings', ready ? `version ${userObject.versionNum}` : (error?.message ?? 'loading')],
  ];
  return (
    <Page title="Testing2" lead="What the application knows of itself, and a way through each service.">
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css.row} style={{ margin: '24px 0' }}>
        <Button
          variant="default"
          onClick={() => {
            setFailure(undefined);
            askServer().then(setAnswer, (reason) => setFailure(describeError(reason)));
          }}
        >
          Call a function
        </Button>
        <span role="status">{answer && `Answered in ${answer}.`}</span>
        <Button variant="default" onClick={() => void save({ showGrid: !userObject.showGrid })}>
          Grid in settings: {userObject.showGrid ? 'on' : 'off'}
        </Button>
      </div>
      {failure && <Problem title={failure} />}
      <CardFigure cards={gallery()} caption="Painted in a worker just now." />
    </Page>
  );
}
