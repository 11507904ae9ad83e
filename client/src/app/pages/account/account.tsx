import { Button } from '@mantine/core';
import { BadgeCheck, CircleAlert, Link2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { passkeyHindrance } from '../../../data/account/passkeys-offered.ts';
import { linkAt, type SignInProvider, signInProviders } from '../../../data/account/provider-sign-in.ts';
import { useUser } from '../../../data/account/session.ts';
import { haveRecentSignIn, SignInCancelled } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Page, Problem } from '../../../ui/page/page.tsx';
import { useResend } from '../../shell/use-resend.ts';
import css from './account.module.css';
import { DataRows } from './data-rows.tsx';
import { EmailForm, NameForm, PasswordForm } from './forms.tsx';
import { PlanSheet } from './plan-sheet.tsx';
import { SecondStep } from './second-step.tsx';
import { Sessions } from './sessions.tsx';
import { SignInAgain } from './sign-in-question.tsx';

/** Display names of the sign-in providers. */
const PROVIDERS: Readonly<Record<string, string>> = {
  password: 'E-mail and password',
  'google.com': 'Google',
  'github.com': 'GitHub',
  phone: 'Phone',
};

const providerName = (id: string) => signInProviders().find((provider) => provider.id === id)?.name ?? id;

const PasskeyRows = lazy(() => import('./passkey-rows.tsx'));

/** `/account` */
export function Component() {
  const user = useUser();
  const [failedLink, setFailedLink] = useState<string>();
  const { wait, busy, send } = useResend(user, !user.emailVerified);
  const since = user.createdAt
    ? new Date(user.createdAt).toLocaleDateString(undefined, { dateStyle: 'long' })
    : undefined;
  const hasPassword = user.providers.includes('password');
  const unlinked = signInProviders().filter((provider) => !user.providers.includes(provider.id));
  const link = async (provider: SignInProvider) => {
    setFailedLink(undefined);
    try {
      // The server refuses it after the visit to the provider; better to ask before.
      await haveRecentSignIn();
      await linkAt(provider);
    } catch (error) {
      if (!(error instanceof SignInCancelled)) setFailedLink(describeError(error));
    }
  };
  return (
    <Page title="Account" lead={since && `A maker of cards since ${since}.`}>
      <section className={css.sheet} aria-label="Profile">
        <h2>Profile</h2>
        <NameForm name={user.displayName} key={user.displayName} />
        <div className={css.row}>
          <div className={css.grow}>
            <span className={css.label}>E-mail</span>
            <p>{user.email}</p>
          </div>
          {user.emailVerified ? (
            <span className={css.good}>
              <BadgeCheck size={18} aria-hidden /> Verified
            </span>
          ) : (
            <>
              <span className={css.warn}>
                <CircleAlert size={18} aria-hidden /> Not verified
              </span>
              <Button variant="default" disabled={wait > 0} loading={busy} onClick={() => void send()}>
                {wait > 0 ? `Send again in ${wait} s` : 'Send link'}
              </Button>
            </>
          )}
        </div>
        {hasPassword && <EmailForm />}
      </section>
      <PlanSheet />
      <section className={css.sheet} aria-label="Signing in">
        <h2>Signing in</h2>
        {hasPassword && <PasswordForm />}
        {passkeyHindrance() !== undefined && (
          <Suspense>
            <PasskeyRows />
          </Suspense>
        )}
        <SecondStep user={user} />
        <div className={css.row}>
          <div className={css.grow}>
            <span className={css.label}>Linked ways to sign in</span>
            <ul className={css.providers}>
              {user.providers.map((provider) => (
                <li key={provider}>
                  <Link2 size={15} aria-hidden /> {PROVIDERS[provider] ?? providerName(provider)}
                </li>
              ))}
            </ul>
            {failedLink && <Problem title={failedLink} />}
          </div>
          {unlinked.map((provider) => (
            <Button key={provider.id} variant="default" onClick={() => void link(provider)}>
              Link {provider.name}
            </Button>
          ))}
        </div>
        <Sessions user={user} />
      </section>
      <DataRows user={user} />
      <SignInAgain user={user} />
    </Page>
  );
}
