import { Button } from '@mantine/core';
import { getRedirectResult, type MultiFactorResolver } from '@sdk/auth';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { keepGuestGames } from '../../../data/account/guest-account.ts';
import { takeReturn } from '../../../data/account/provider-sign-in.ts';
import { refreshSession } from '../../../data/account/session.ts';
import { secondFactorFor } from '../../../data/account/sign-in-again.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { AuthPage } from './auth-page.tsx';
import { CodeForm } from './code-form.tsx';

/** Runs once, also when React mounts twice. */
let finishing: Promise<boolean> | undefined;

function finish(): Promise<boolean> {
  finishing ??= getRedirectResult(getServices().auth).then(async (result) => {
    await keepGuestGames();
    refreshSession(true);
    return result !== null;
  });
  return finishing;
}

/** `/__/auth/handler`: where sign-in providers send people back to. */
export function Component() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [waiting, setWaiting] = useState<MultiFactorResolver>();
  useEffect(() => {
    finish()
      .then((done) => {
        if (done) navigate(takeReturn(), { replace: true });
        else setFailure('This sign-in was not begun in this tab. Begin again.');
      })
      .catch((error) => {
        const second = secondFactorFor(error);
        if (second) setWaiting(second);
        else setFailure(describeError(error));
      })
      .finally(() => {
        finishing = undefined;
      });
  }, [navigate]);
  if (waiting) {
    const goOn = () => {
      refreshSession(true);
      navigate(takeReturn(), { replace: true });
    };
    const back = { label: 'Begin again', run: () => navigate('/login', { replace: true }) };
    return (
      <AuthPage title="One more step" lead="Your account also asks for a code from your authenticator app.">
        <CodeForm waiting={waiting} submitLabel="Log in" onDone={goOn} onBack={back} />
      </AuthPage>
    );
  }
  if (failure) {
    return (
      <AuthPage title="Signing in did not work">
        <Problem title={failure} />
        <Button component={Link} to="/login" variant="default">
          Back to Login
        </Button>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Signing you in">
      <Placeholder height={44} />
    </AuthPage>
  );
}
