import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../data/account/session.ts';
import { forgetTrial } from '../../data/trial/mark.ts';
import { KEEP_PATH } from '../../data/trial/place.ts';
import { findTrial, type Trial } from '../../data/trial/trial.ts';
import css from './trial-note.module.css';

/** Among one's projects: what was tried in this browser without an account is not among them yet. */
export default function TrialNote() {
  const [trial, setTrial] = useState<Trial>();
  const { uid } = useUser();
  useEffect(() => {
    let gone = false;
    findTrial(uid).then(
      (found) => {
        if (!gone) setTrial(found);
      },
      (error: unknown) => console.warn('The trial cannot be read', error),
    );
    return () => {
      gone = true;
    };
  }, [uid]);
  if (!trial?.changed || trial.kept) return null;
  return (
    <section className={css.note} aria-label="Your game in this browser">
      <Sparkles size={18} aria-hidden />
      <p>
        <strong>{trial.name}</strong>, which you changed without an account, is kept in this browser only.
      </p>
      <Button component={Link} to={KEEP_PATH} size="xs">
        Keep it in this account
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          forgetTrial();
          setTrial(undefined);
        }}
      >
        Not now
      </Button>
    </section>
  );
}
