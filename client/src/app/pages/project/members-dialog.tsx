import { Button, NativeSelect } from '@mantine/core';
import { Languages, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { languageNames } from '../../../core/translation/language-names.ts';
import { useUser } from '../../../data/account/session.ts';
import type { Role } from '../../../data/documents/documents.ts';
import { changeMember, languagesOf, otherMembers, ROLE_NAMES } from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import { HandOver } from '../../offers/hand-over.tsx';
import { Invitations } from './invitations.tsx';
import { LanguageChoice } from './language-choice.tsx';
import css from './members.module.css';
import type { ProjectAccess } from './project-gate.tsx';
import { ROLE_CHOICES } from './role-choices.ts';

/** Members of a project and the invitations to it. */
export function MembersDialog({
  open,
  access,
  onClose,
}: {
  open: boolean;
  access: ProjectAccess;
  onClose: () => void;
}) {
  const [failure, setFailure] = useState<string>();
  const { uid: me, displayName, email } = useUser();
  const nameOf = (uid: string) =>
    access.details.people[uid] ?? (uid === me ? displayName || email : 'Somebody');
  const run = (work: Promise<unknown>) => {
    setFailure(undefined);
    work.catch((error) => setFailure(describeError(error)));
  };
  return (
    <Popup open={open} onClose={onClose} title="Members" width={620}>
      {failure && <Problem title={failure} />}
      <People access={access} nameOf={nameOf} run={run} />
      {access.project.mine && <HandOver project={access.project} details={access.details} nameOf={nameOf} />}
      {access.role === 'owner' ? (
        <Invitations access={access} onFailed={(error) => setFailure(describeError(error))} />
      ) : (
        <p className={css.quiet}>Owners invite people and change roles.</p>
      )}
    </Popup>
  );
}

/** Starts work and shows why it failed. */
type Run = (work: Promise<unknown>) => void;

function People({
  access,
  nameOf,
  run,
}: {
  access: ProjectAccess;
  nameOf: (uid: string) => string;
  run: Run;
}) {
  const { project, details, role: own } = access;
  const { uid: me } = useUser();
  const members = otherMembers(details).sort(([a], [b]) => nameOf(a).localeCompare(nameOf(b)));
  return (
    <ul className={css.people} aria-label="People">
      <li>
        <span className={css.face} aria-hidden>
          {nameOf(project.owner).slice(0, 1)}
        </span>
        <span>
          {nameOf(project.owner)} {project.owner === me && <em>you</em>}
        </span>
        <span className={css.quiet}>Owns the project</span>
      </li>
      {members.map(([uid, role]) => (
        <Member
          key={uid}
          access={access}
          uid={uid}
          role={role as Role}
          name={nameOf(uid)}
          isMe={uid === me}
          mayChange={own === 'owner'}
          run={run}
        />
      ))}
    </ul>
  );
}

/** Somebody who works on the project; owners change their role, and the languages of translators. */
function Member({
  access: { project, details },
  uid,
  role,
  name,
  isMe,
  mayChange,
  run,
}: {
  access: ProjectAccess;
  uid: string;
  role: Role;
  name: string;
  isMe: boolean;
  mayChange: boolean;
  run: Run;
}) {
  const languages = languagesOf(details, uid);
  /** The languages that are being chosen. */
  const [choice, setChoice] = useState<readonly string[]>();
  return (
    <li>
      <span className={css.face} aria-hidden>
        {name.slice(0, 1)}
      </span>
      <span>
        {name} {isMe && <em>you</em>}
        {role === 'translator' && (
          <small>{languages.length > 0 ? languageNames(languages) : 'No language'}</small>
        )}
      </span>
      {mayChange ? (
        <>
          {role === 'translator' && (
            <button
              type="button"
              className={css.tool}
              aria-label={`Languages of ${name}`}
              aria-expanded={choice !== undefined}
              onClick={() => setChoice(choice ? undefined : languages)}
            >
              <Languages size={16} aria-hidden />
            </button>
          )}
          <NativeSelect
            size="xs"
            aria-label={`Role of ${name}`}
            value={choice ? 'translator' : role}
            data={ROLE_CHOICES}
            onChange={(event) => {
              const next = event.currentTarget.value as Role;
              setChoice(next === 'translator' ? languages : undefined);
              // A translator has languages: they are chosen first.
              if (next !== 'translator' && next !== role) run(changeMember(project, uid, next));
            }}
          />
          <button
            type="button"
            className={css.remove}
            aria-label={`Remove ${name}`}
            onClick={() => run(changeMember(project, uid, undefined))}
          >
            <Trash2 size={16} aria-hidden />
          </button>
        </>
      ) : (
        <span className={css.quiet}>{ROLE_NAMES[role] ?? role}</span>
      )}
      {mayChange && choice && (
        <form
          className={css.chooser}
          aria-label={`Languages that ${name} translates into`}
          onSubmit={(event) => {
            event.preventDefault();
            run(changeMember(project, uid, 'translator', choice).then(() => setChoice(undefined)));
          }}
        >
          <LanguageChoice project={project} chosen={choice} onChange={setChoice} />
          <div className={css.actions}>
            <Button size="xs" variant="subtle" color="gray" onClick={() => setChoice(undefined)}>
              Cancel
            </Button>
            <Button size="xs" type="submit" disabled={choice.length === 0}>
              {role === 'translator' ? 'Save languages' : 'Make a translator'}
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}
