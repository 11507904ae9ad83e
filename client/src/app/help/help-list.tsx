import { Button } from '@mantine/core';
import { BookOpen, CircleCheck, GraduationCap, MessagesSquare, MousePointerClick } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../data/account/session.ts';
import { needsVerification } from '../../data/account/verification.ts';
import { community } from '../../data/site/community.ts';
import { isOn, useSite } from '../../data/site/site.ts';
import { useUserObject } from '../../data/user-object/use-user-object.ts';
import { TUTORIALS } from '../tutorials/definitions.ts';
import { tutorials } from '../tutorials/runtime.ts';
import css from './help.module.css';

/** Contents of the help popup. */
export default function HelpList({ onDone }: { onDone: () => void }) {
  const user = useSession();
  const signedIn = user !== null;
  const locked = user !== null && needsVerification(user);
  const { userObject } = useUserObject();
  const { pathname } = useLocation();
  const offered = isOn(useSite(signedIn), 'tutorials');
  const { label, address, elsewhere } = community();
  const done = userObject.tutorialData.namesOfTutorialsCompleted;
  return (
    <>
      {offered && (
        <h2>
          Click-through tutorials <span className={css.beta}>beta</span>
        </h2>
      )}
      {offered && !signedIn && (
        <p className={css.note}>
          They run on your own projects:{' '}
          <Link to={`/login?to=${encodeURIComponent(pathname)}`} onClick={onDone}>
            log in
          </Link>{' '}
          to start one.
        </p>
      )}
      {offered && locked && (
        <p className={css.note}>
          They start once your e-mail address is verified: open the link we sent you.
        </p>
      )}
      <ul className={css.list} aria-label="Tutorials">
        {(offered ? TUTORIALS : []).map(({ tutorial: { name }, about }) => (
          <li key={name}>
            <MousePointerClick size={18} aria-hidden />
            <div>
              <strong>{name}</strong>
              <p>{about}</p>
            </div>
            {done.includes(name) && <CircleCheck size={17} className={css.done} aria-label="Completed" />}
            <Button
              size="xs"
              variant="default"
              disabled={!signedIn || locked}
              aria-label={`Start: ${name}`}
              onClick={() => {
                onDone();
                tutorials.activate(name);
              }}
            >
              Start
            </Button>
          </li>
        ))}
      </ul>
      <h2>Read</h2>
      <ul className={css.links}>
        <li>
          <BookOpen size={17} aria-hidden />
          <Link to="/blog/from-spreadsheet-to-deck" onClick={onDone}>
            From a spreadsheet to a deck
          </Link>
        </li>
        <li>
          <GraduationCap size={17} aria-hidden />
          <Link to="/Tutorials/" onClick={onDone}>
            Illustrated tutorials
          </Link>
        </li>
        <li>
          <MessagesSquare size={17} aria-hidden />
          {elsewhere ? (
            <a href={address} target="_blank" rel="noreferrer">
              {label}
            </a>
          ) : (
            <Link to={address} onClick={onDone}>
              {label}
            </Link>
          )}
        </li>
      </ul>
    </>
  );
}
