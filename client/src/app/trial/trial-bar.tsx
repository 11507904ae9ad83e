import { Button } from '@mantine/core';
import { BookOpen, Ellipsis, Home, LogIn, PackageOpen, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { sessionUser, useAccount } from '../../data/account/session.ts';
import { describeError, isFull } from '../../data/server/messages.ts';
import { KEEP_PATH, TRIAL_BASE } from '../../data/trial/place.ts';
import { endTrial, findTrial, observeTrial, type Trial, tryToNote } from '../../data/trial/trial.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { type LongWork, WorkDialog } from '../pages/projects/work-dialog.tsx';
import css from './trial-bar.module.css';

/** The trial as it is in this browser and for an account, updated live. */
function useTrial(account: string | undefined): Trial | undefined {
  const [trial, setTrial] = useState<Trial>();
  useEffect(() => {
    let reading = false;
    let again = false;
    let gone = false;
    const read = async () => {
      if (reading) {
        again = true;
        return;
      }
      reading = true;
      do {
        again = false;
        const found = await findTrial(account).catch(() => undefined);
        if (!gone) setTrial(found);
      } while (again && !gone);
      reading = false;
    };
    void read();
    const stop = observeTrial(() => void read());
    return () => {
      gone = true;
      stop();
    };
  }, [account]);
  return trial;
}

/** Makes a file of the game, which any account can open. */
const packingOf = ({ project, name }: Trial): LongWork => ({
  title: `Packing ${name || 'the game'}`,
  run: async (options) => {
    const { downloadArchive } = await import('../pages/projects/archive-work.ts');
    const id = { id: project, owner: sessionUser()?.uid ?? '' };
    toasts.show(`${await downloadArchive(id, options)} is downloaded.`, { type: 'success' });
  },
});

const signUp = `/signup?to=${encodeURIComponent(KEEP_PATH)}`;
const logIn = `/login?to=${encodeURIComponent(KEEP_PATH)}`;

/** Goes to where the game is taken over, unless that is bound to fail: nobody signs up in vain. */
async function leaveFor(href: string, download: () => void): Promise<void> {
  try {
    await tryToNote();
    location.assign(href);
  } catch (error) {
    const why = isFull(error)
      ? 'This browser has no room left to note it. Delete cards or layouts that you do not need, or what other sites keep here, and try again; or download the game, and open the file in an account.'
      : describeError(error);
    toasts.show(`The game cannot be taken into an account yet. ${why}`, {
      type: 'error',
      autoCloseTime: 0,
      actions: [{ buttonText: 'Download the game', function: download }],
    });
  }
}

/** In place of the bar of every page: where the work lies, and how to keep it. Its links leave the trial. */
export default function TrialBar({
  logo,
  theme,
}: {
  logo: ReactNode;
  /** Button that changes the theme. */
  theme: ReactNode;
}) {
  const account = useAccount();
  const trial = useTrial(account?.uid);
  const [asking, setAsking] = useState(false);
  const [work, setWork] = useState<LongWork>();
  const download = async () => {
    // Whatever failed, the game is read from the browser once more.
    const found = trial ?? (await findTrial());
    if (found) setWork(packingOf(found));
  };
  const kept = trial?.kept;
  const action = kept
    ? { href: `/decks/${kept.project}`, label: 'Open it in your account', short: 'Open it' }
    : account
      ? { href: KEEP_PATH, label: 'Keep it in your account', short: 'Keep it' }
      : { href: signUp, label: 'Sign up and keep it', short: 'Keep it' };
  return (
    <>
      <header className={css.bar}>
        <a href="/" className={css.logo} aria-label="Tuckbox, home">
          {logo}
          <span>Tuckbox</span>
        </a>
        <p className={css.where} role="status">
          <strong>{kept ? 'In your account' : 'Trying it out'}</strong>
          <span>{kept ? 'This copy stays in this browser.' : 'Kept in this browser only.'}</span>
        </p>
        <div className={css.tools}>
          <Button
            component="a"
            href={action.href}
            size="sm"
            aria-label={action.label}
            onClick={(event) => {
              if (kept || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              void leaveFor(action.href, () => void download());
            }}
            className={css.keep ?? ''}
          >
            <span className={css.long}>{action.label}</span>
            <span className={css.short}>{action.short}</span>
          </Button>
          {theme}
          <Menu
            label="More of the trial"
            className={css.more}
            width={230}
            items={[
              {
                label: 'Download the game',
                icon: <PackageOpen size={15} />,
                onSelect: () => void download(),
              },
              { label: 'Start over', icon: <RotateCcw size={15} />, onSelect: () => setAsking(true) },
              ...(account || kept
                ? []
                : [{ label: 'Log in and keep it', icon: <LogIn size={15} />, href: logIn }]),
              { label: 'Documentation', icon: <BookOpen size={15} />, href: '/docs', divided: true },
              { label: 'Home', icon: <Home size={15} />, href: '/' },
            ]}
          >
            <Ellipsis size={18} aria-hidden />
          </Menu>
        </div>
      </header>
      {/* Outside of the bar, which is the page's banner; the window has a head of its own. */}
      <section>
        <WorkDialog work={work} onClose={() => setWork(undefined)} />
        <Confirm
          open={asking}
          title="Start over?"
          action="Start over"
          keep="Keep it"
          describe={describeError}
          onClose={() => setAsking(false)}
          run={async () => {
            await endTrial();
            location.assign(TRIAL_BASE);
          }}
        >
          <p>
            {trial?.name ? <strong>{trial.name}</strong> : 'The game'} in this browser is deleted
            {trial?.changed && !kept ? ' with all that you have changed' : ''}, and the sample game is opened
            anew. This cannot be undone.
          </p>
        </Confirm>
      </section>
    </>
  );
}
