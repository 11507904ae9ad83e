import { Button } from '@mantine/core';
import { ArrowRight, FileSpreadsheet, PenTool, Printer, Server } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../data/account/session.ts';
import { TRIAL_BASE } from '../../../data/trial/place.ts';
import css from './home.module.css';

/** Painting takes a worker and fonts: the words are there first. */
const LiveDeck = lazy(() => import('./live-deck.tsx'));
const SampleTable = lazy(() => import('./sample-table.tsx'));

const STEPS = [
  {
    icon: FileSpreadsheet,
    title: 'Bring a table',
    text: 'Drop a CSV on a project. Every row becomes a card, and a column of copies is understood by itself.',
  },
  {
    icon: PenTool,
    title: 'Draw one card',
    text: 'Place text, pictures and shapes in millimetres and bind them to columns. The whole deck follows.',
  },
  {
    icon: Printer,
    title: 'Hold it in your hands',
    text: 'Export nine cards a page on A4 or Letter, with crop marks and text that stays text.',
  },
] as const;

/** `/` */
export function Component() {
  const signedIn = useSession() !== null;
  return (
    <main className={css.home}>
      <section className={css.hero}>
        <div className={css.words}>
          <h1>Make the game you have been carrying around.</h1>
          <p>
            Tuckbox turns a spreadsheet and one good layout into a deck you can print, cut and shuffle
            tonight. Change a word in the table and every card knows.
          </p>
          <div className={css.calls}>
            <Button
              component={Link}
              to={signedIn ? '/decks' : '/signup'}
              size="lg"
              rightSection={<ArrowRight size={18} aria-hidden />}
            >
              {signedIn ? 'Open your projects' : 'Start your first deck'}
            </Button>
            {!signedIn && (
              <Button component="a" href={TRIAL_BASE} size="lg" variant="default">
                Try it now, no account
              </Button>
            )}
          </div>
          {!signedIn && (
            <p className={css.known}>
              Have an account? <Link to="/login">Log in</Link>
            </p>
          )}
        </div>
        <Suspense fallback={<div className={css.room} aria-hidden />}>
          <LiveDeck />
        </Suspense>
      </section>
      <section className={css.steps} id="how" aria-label="How it works">
        {STEPS.map(({ icon: Icon, title, text }, i) => (
          <article key={title} className={css.step}>
            <span className={css.number}>{i + 1}</span>
            <Icon size={24} aria-hidden />
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <Suspense fallback={<div className={css.sample} aria-hidden />}>
        <SampleTable />
      </Suspense>
      <section className={css.own}>
        <Server size={22} aria-hidden />
        <p>
          <strong>Yours to run.</strong> Open source, one program, your own computer or server. Your cards are
          files you own, not somebody’s subscription.
        </p>
      </section>
    </main>
  );
}
