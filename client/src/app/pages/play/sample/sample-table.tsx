import { Button } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { ArrowLeft, BookOpen, Hourglass, UserPlus } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useGuest, useSession } from '../../../../data/account/session.ts';
import { joinProblem } from '../../../../data/play/admission.ts';
import { isGone, joinSampleTable } from '../../../../data/play/samples.ts';
import { queryClient } from '../../../../data/server/query-client.ts';
import { copyLink } from '../../../../ui/copy/copy-link.ts';
import { EmptyState, Loading, Page, Problem, Unseen } from '../../../../ui/page/page.tsx';
import { Popup } from '../../../../ui/popups/popup.tsx';
import bar from '../../../../ui/toolbar/toolbar.module.css';
import { useThingTitle } from '../../../shell/document-title.ts';
import play from '../play.module.css';
import { Waiting } from '../play.tsx';
import { PlayScreen } from '../play-screen.tsx';
import { useConnection } from '../use-table.ts';
import { OpenSample } from './open-sample.tsx';
import css from './sample-table.module.css';
import { TICK_MS, timeLeft } from './time-left.ts';

/** The rules come with the game, which is loaded for whoever wants to read them. */
const SampleRules = lazy(() => import('./sample-rules.tsx'));

/** Having come to a table, or the reason for which one has not. */
type Arrival =
  | { readonly is: 'coming' }
  | { readonly is: 'here'; readonly name: string; readonly ends: number }
  | { readonly is: 'gone' }
  | { readonly is: 'kept-out'; readonly why: string };

/** `/playtesting/sample/{table}`: whoever opens the address sits down. */
export function Component() {
  const { id = '' } = useParams();
  return (
    <QueryClientProvider client={queryClient}>
      <SampleTable key={id} id={id} />
    </QueryClientProvider>
  );
}

function SampleTable({ id }: { id: string }) {
  const { arrival, again } = useArrival(id);
  const [user, guest] = [useSession(), useGuest()];
  useThingTitle(arrival.is === 'here' ? arrival.name : undefined);
  if (arrival.is === 'gone') return <Gone />;
  if (arrival.is === 'kept-out') return <KeptOut why={arrival.why} again={again} />;
  if (arrival.is === 'coming' || !(user ?? guest)) {
    return <Waiting connected={{ status: 'connecting', why: undefined }} above={<Home />} />;
  }
  return <AtTable id={id} name={arrival.name} ends={arrival.ends} again={again} />;
}

function useArrival(id: string): { arrival: Arrival; again: () => void } {
  const [arrival, setArrival] = useState<Arrival>({ is: 'coming' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    void attempt;
    let left = false;
    setArrival({ is: 'coming' });
    joinSampleTable(id).then(
      ({ name, lasts }) => !left && setArrival({ is: 'here', name, ends: Date.now() + lasts }),
      (error: unknown) =>
        !left && setArrival(isGone(error) ? { is: 'gone' } : { is: 'kept-out', why: joinProblem(error) }),
    );
    return () => {
      left = true;
    };
  }, [id, attempt]);
  return { arrival, again: useCallback(() => setAttempt((one) => one + 1), []) };
}

function AtTable({ id, name, ends, again }: { id: string; name: string; ends: number; again: () => void }) {
  const { connection, connected } = useConnection(id);
  const { view, status, why } = connected;
  if (status === 'closed' && why === 'gone') return <Gone />;
  if (status === 'closed' && why === 'not-found') {
    return <KeptOut why="You are now signed in with another account than before." again={again} />;
  }
  if (status === 'closed') {
    return <KeptOut why="The connection to the table ended." again={() => window.location.reload()} />;
  }
  if (!view) return <Waiting connected={connected} above={<Home />} />;
  return (
    <PlayScreen
      connection={connection}
      connected={connected}
      view={view}
      name={name}
      table={id}
      above={
        <Link to="/" className={bar.tool} aria-label="Leave the table">
          <ArrowLeft size={17} aria-hidden />
        </Link>
      }
      beside={<Beside name={name} ends={ends} />}
    />
  );
}

/** The time that the table has, the rules of its game, and a button that copies its address. */
function Beside({ name, ends }: { name: string; ends: number }) {
  const [reads, setReads] = useState(false);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticks = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(ticks);
  }, []);
  return (
    <>
      <span className={css.lasts} title="A sample table lasts an hour and keeps nothing.">
        <Hourglass size={15} aria-hidden />
        <span>
          <Unseen>The table has </Unseen>
          {timeLeft(ends - now)} left
        </span>
      </span>
      <button type="button" className={`${bar.tool} ${play.people}`} onClick={() => setReads(true)}>
        <BookOpen size={17} aria-hidden />
        <span>Rules</span>
      </button>
      <button
        type="button"
        className={`${bar.tool} ${play.people}`}
        onClick={() => void copyLink(window.location.href)}
      >
        <UserPlus size={17} aria-hidden />
        <span>Invite by link</span>
      </button>
      <Popup open={reads} onClose={() => setReads(false)} title={`How to play ${name}`} width={560}>
        <Suspense fallback={<Loading label="Loading the rules" />}>{reads && <SampleRules />}</Suspense>
      </Popup>
    </>
  );
}

const Home = () => (
  <Link to="/">
    <ArrowLeft size={15} aria-hidden /> Home
  </Link>
);

function Gone() {
  const signedIn = useSession() !== null;
  return (
    <Page title="Sample table" above={<Home />}>
      <EmptyState
        icon={<Hourglass size={26} />}
        title="This table is gone"
        action={
          <div className={css.next}>
            <OpenSample>Open a new one</OpenSample>
            <Button component={Link} to={signedIn ? '/decks' : '/signup'} variant="default">
              {signedIn ? 'To your projects' : 'Make a game of your own'}
            </Button>
          </div>
        }
      >
        A sample table lasts an hour and keeps nothing, neither the game nor who played it.
      </EmptyState>
    </Page>
  );
}

function KeptOut({ why, again }: { why: string; again: () => void }) {
  return (
    <Page title="Sample table" above={<Home />}>
      <Problem title={why} />
      <div className={css.next}>
        <Button onClick={again}>Try again</Button>
        <OpenSample variant="default">Open another one</OpenSample>
      </div>
    </Page>
  );
}
