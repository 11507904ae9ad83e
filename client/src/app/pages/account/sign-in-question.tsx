import { Button } from '@mantine/core';
import type { MultiFactorResolver } from '@sdk/auth';
import { lazy, type ReactNode, Suspense, useState, useSyncExternalStore } from 'react';
import { passkeysOffered } from '../../../data/account/passkeys-offered.ts';
import { type SignInProvider, signInProviders } from '../../../data/account/provider-sign-in.ts';
import type { SessionUser } from '../../../data/account/session.ts';
import {
  observeSignInQuestion,
  type SignInQuestion,
  secondFactorFor,
  showAtProvider,
  showPassword,
  signInQuestion,
} from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { useLast } from '../../../ui/popups/use-last.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { CodeForm } from '../auth/code-form.tsx';
import css from './account.module.css';

const ShowPasskey = lazy(() => import('./show-passkey.tsx'));

/** Asks for the password. */
function PasswordStep({
  question,
  aside,
  onWaiting,
}: {
  question: SignInQuestion;
  /** Another way, above the buttons. */
  aside: ReactNode;
  onWaiting: (waiting: MultiFactorResolver) => void;
}) {
  const [password, setPassword] = useState('');
  const { busy, failure, submit } = useSubmit(
    async () => {
      await showPassword(password);
      question.done();
    },
    (error) => {
      const waiting = secondFactorFor(error);
      if (!waiting) return describeError(error);
      onWaiting(waiting);
      return undefined;
    },
  );
  return (
    <form className={css.question} onSubmit={submit}>
      {failure && <Problem title={failure} />}
      <p>You signed in a while ago. Show that it is you, and what you began goes on.</p>
      <PasswordField
        label="Password"
        data-autofocus
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {aside}
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy} onClick={question.cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={password === ''}>
          Go on
        </Button>
      </PopupActions>
    </form>
  );
}

/** Sends to a provider who has no password. */
function ProviderStep({
  question,
  aside,
  providers,
}: {
  question: SignInQuestion;
  aside: ReactNode;
  providers: SignInProvider[];
}) {
  const [failure, setFailure] = useState<string>();
  return (
    <div className={css.question}>
      {failure && <Problem title={failure} />}
      <p>
        {providers.length > 0
          ? 'You signed in a while ago. Show that it is you; you come back to this page and can begin again.'
          : 'You signed in a while ago, in a way that is no longer offered. Ask whoever runs this server.'}
      </p>
      {aside}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={question.cancel}>
          Cancel
        </Button>
        {providers.map((provider) => (
          <Button
            key={provider.id}
            onClick={() => void showAtProvider(provider).catch((error) => setFailure(describeError(error)))}
          >
            Sign in with {provider.name}
          </Button>
        ))}
      </PopupActions>
    </div>
  );
}

function Steps({ question, user }: { question: SignInQuestion; user: SessionUser }) {
  const [waiting, setWaiting] = useState(question.waiting);
  if (waiting) {
    const back = { label: 'Cancel', run: question.cancel };
    return <CodeForm waiting={waiting} submitLabel="Go on" onDone={question.done} onBack={back} />;
  }
  const providers = signInProviders().filter(({ id }) => user.providers.includes(id));
  const aside = passkeysOffered() && (
    <Suspense>
      <ShowPasskey onDone={question.done} />
    </Suspense>
  );
  if (user.providers.includes('password'))
    return <PasswordStep question={question} aside={aside} onWaiting={setWaiting} />;
  return <ProviderStep question={question} aside={aside} providers={providers} />;
}

/** The dialog that asks somebody who is signed in to show again who they are. */
export function SignInAgain({ user }: { user: SessionUser }) {
  const question = useSyncExternalStore(observeSignInQuestion, signInQuestion);
  const shown = useLast(question);
  return (
    <Popup open={question !== null} onClose={() => question?.cancel()} title="Sign in again" width={420}>
      {shown && <Steps key={keyOf(shown)} question={shown} user={user} />}
    </Popup>
  );
}

const keys = new WeakMap<SignInQuestion, number>();
let asked = 0;
/** Each question begins with empty fields. */
function keyOf(question: SignInQuestion): number {
  const key = keys.get(question) ?? ++asked;
  keys.set(question, key);
  return key;
}
