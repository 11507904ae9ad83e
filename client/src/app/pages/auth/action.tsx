import { Button } from '@mantine/core';
import { applyActionCode, confirmPasswordReset, verifyPasswordResetCode } from '@sdk/auth';
import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { MIN_PASSWORD_LENGTH } from '../../../data/account/account.ts';
import { reloadProfile } from '../../../data/account/session.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { AuthPage, formClass } from './auth-page.tsx';
import { pathHere } from './return-to.ts';

/** Only pages of this site are gone on to. */
function continuePath(search: URLSearchParams, fallback: string): string {
  return pathHere(search.get('continueUrl'), fallback, location.origin);
}

/** Runs once per code, also when React mounts twice. */
const started = new Map<string, Promise<void>>();

function verifyOnce(code: string): Promise<void> {
  let work = started.get(code);
  if (!work) {
    work = applyActionCode(getServices().auth, code).then(() => reloadProfile(true));
    started.set(code, work);
  }
  return work;
}

type Progress = { at: 'working' } | { at: 'done' } | { at: 'failed'; why: string };

function VerifyEmail({
  code,
  next,
  title = 'Your address is verified',
  words = 'Thank you. Your projects are open.',
}: {
  code: string;
  next: string;
  title?: string;
  words?: string;
}) {
  const [progress, setProgress] = useState<Progress>({ at: 'working' });
  useEffect(() => {
    verifyOnce(code).then(
      () => setProgress({ at: 'done' }),
      (error) => setProgress({ at: 'failed', why: describeError(error) }),
    );
  }, [code]);
  if (progress.at === 'failed') {
    return (
      <AuthPage title="This link did not work">
        <Problem title={progress.why} />
        <Button component={Link} to="/decks" variant="default">
          To your projects
        </Button>
      </AuthPage>
    );
  }
  if (progress.at === 'working') {
    return (
      <AuthPage title="Verifying your address">
        <Placeholder height={44} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={title}>
      <p>
        <CircleCheck size={18} style={{ color: 'var(--good)', verticalAlign: '-4px' }} aria-hidden /> {words}
      </p>
      <Button component="a" href={next} size="md">
        Continue
      </Button>
    </AuthPage>
  );
}

function ResetPassword({ code, next }: { code: string; next: string }) {
  const [email, setEmail] = useState<string>();
  const [password, setPassword] = useState('');
  const [dead, setDead] = useState<string>();
  const [done, setDone] = useState(false);
  const { busy, failure, submit } = useSubmit(async () => {
    await confirmPasswordReset(getServices().auth, code, password);
    setDone(true);
  });
  useEffect(() => {
    verifyPasswordResetCode(getServices().auth, code).then(setEmail, (error) =>
      setDead(describeError(error)),
    );
  }, [code]);
  if (dead) {
    return (
      <AuthPage title="This link did not work" foot={<Link to="/forgot-password">Ask for a new link</Link>}>
        <Problem title={dead} />
      </AuthPage>
    );
  }
  if (done) {
    return (
      <AuthPage title="Your password is changed">
        <Button component={Link} to={next} size="md">
          Log in
        </Button>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Set a new password" lead={email ? `For ${email}.` : undefined}>
      <form className={formClass} onSubmit={submit}>
        {failure && <Problem title={failure} />}
        <PasswordField
          label="New password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={busy} disabled={password.length === 0}>
          Change password
        </Button>
      </form>
    </AuthPage>
  );
}

/** `/__/auth/action`: where the links in mails lead. */
export function Component() {
  const [search] = useSearchParams();
  const code = search.get('oobCode');
  const mode = search.get('mode');
  if (code && mode === 'verifyEmail') {
    return <VerifyEmail code={code} next={continuePath(search, '/decks')} />;
  }
  if (code && (mode === 'verifyAndChangeEmail' || mode === 'recoverEmail')) {
    const back = mode === 'recoverEmail';
    return (
      <VerifyEmail
        code={code}
        next={continuePath(search, '/account')}
        title={back ? 'Your old address is back' : 'Your address is changed'}
        words={
          back
            ? 'Everybody was logged out, and all passkeys were removed. If you did not change the address yourself, choose a new password now.'
            : 'From now on you log in with the new one.'
        }
      />
    );
  }
  if (code && mode === 'resetPassword') {
    return <ResetPassword code={code} next={continuePath(search, '/login')} />;
  }
  return (
    <AuthPage title="This link is incomplete" foot={<Link to="/">Home</Link>}>
      <p>Copy the whole link from the mail into the address bar, or ask for a new one.</p>
    </AuthPage>
  );
}
