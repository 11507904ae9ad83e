import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Copy, Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { own } from '../../../core/records.ts';
import { languageNames } from '../../../core/translation/language-names.ts';
import type { ProjectDocument, Role } from '../../../data/documents/documents.ts';
import {
  INVITATION_DAY_CHOICES,
  INVITATION_DAYS,
  type Invitation,
  invitationLink,
  invite,
  LINK_USE_CHOICES,
  LINK_USES,
  ROLE_NAMES,
  ROLE_WORDS,
  useInvitations,
  withdraw,
} from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { copyLink } from '../../../ui/copy/copy-link.ts';
import { shortDay } from '../../../ui/dates.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { LanguageChoice } from './language-choice.tsx';
import css from './members.module.css';
import type { ProjectAccess } from './project-gate.tsx';
import { ROLE_CHOICES } from './role-choices.ts';

/** The description goes below, so that adjacent fields line up. */
const BELOW: ('label' | 'input' | 'description')[] = ['label', 'input', 'description'];

/** People who used a link, and its limit. */
function cameBy({ uses, joined }: Invitation, people: ProjectDocument['people']): string {
  const names = Object.keys(joined).map((uid) => own(people, uid) ?? 'somebody who left');
  const count = uses === undefined ? String(names.length) : `${names.length} of ${uses}`;
  return `${count} joined${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

function NewInvitation({ project, onFailed }: { project: Project; onFailed: (error: unknown) => void }) {
  const [way, setWay] = useState<'link' | 'email'>('link');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [languages, setLanguages] = useState<readonly string[]>([]);
  const [days, setDays] = useState<number>(INVITATION_DAYS);
  const [uses, setUses] = useState<number>(LINK_USES);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const { invitation, mailed } = await invite(project, {
        role,
        languages: role === 'translator' ? languages : [],
        days,
        uses,
        email: way === 'email' ? email.trim() : undefined,
      });
      setEmail('');
      if (way === 'link') await copyLink(invitationLink(project, invitation));
      else {
        const told = mailed
          ? 'A mail is on its way.'
          : 'No mail was sent: this server sends none, or they had one today. Tell them yourself.';
        toasts.show(`${told} They find the invitation on their Projects page.`, {
          type: 'success',
          autoCloseTime: 5_000,
        });
      }
    } catch (reason) {
      onFailed(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={css.invite}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3>Invite</h3>
      <SegmentedControl
        aria-label="Invite by"
        value={way}
        data={[
          { value: 'link', label: 'By link' },
          { value: 'email', label: 'By e-mail address' },
        ]}
        onChange={(value) => setWay(value as 'link' | 'email')}
      />
      {way === 'email' && (
        <TextInput
          className={css.wide ?? ''}
          type="email"
          required
          withAsterisk={false}
          label="E-mail address"
          description="The invitation waits on their Projects page, once they have an account with this address."
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        label="Role"
        description={ROLE_WORDS[role]}
        inputWrapperOrder={BELOW}
        value={role}
        data={ROLE_CHOICES}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <NativeSelect
        label="Good for"
        description={way === 'link' ? 'Whoever has the link may join' : 'Can be used once'}
        inputWrapperOrder={BELOW}
        value={String(days)}
        data={INVITATION_DAY_CHOICES.map((value) => ({
          value: String(value),
          label: value === 1 ? 'A day' : `${value} days`,
        }))}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
      {way === 'link' && (
        <NativeSelect
          label="For"
          description="The list below says who came"
          inputWrapperOrder={BELOW}
          value={String(uses)}
          data={LINK_USE_CHOICES.map((value) => ({
            value: String(value),
            label: value === 1 ? 'One person' : `${value} people`,
          }))}
          onChange={(event) => setUses(Number(event.currentTarget.value))}
        />
      )}
      {role === 'translator' && (
        <div className={css.wide}>
          <LanguageChoice project={project} chosen={languages} onChange={setLanguages} />
        </div>
      )}
      <Button
        disabled={role === 'translator' && languages.length === 0}
        className={css.send ?? ''}
        type="submit"
        loading={busy}
        leftSection={<Link2 size={16} aria-hidden />}
      >
        {way === 'link' ? 'Make a link' : 'Invite'}
      </Button>
    </form>
  );
}

/** Makes invitations, and has those that are open. */
export function Invitations({
  access: { project, details },
  onFailed,
}: {
  access: ProjectAccess;
  onFailed: (error: unknown) => void;
}) {
  const { data, error } = useInvitations(project);
  const now = Date.now();
  return (
    <>
      <NewInvitation project={project} onFailed={onFailed} />
      {error && <Problem title={describeError(error)} />}
      {data && data.items.length > 0 && (
        <ul className={css.people} aria-label="Open invitations">
          {data.items.map((one) => (
            <li key={one.id}>
              <span>
                {one.email ?? 'Whoever has the link'}
                <small>
                  {ROLE_NAMES[one.role]}
                  {one.languages.length > 0 && ` (${languageNames(one.languages)})`},{' '}
                  {one.expiresAt > now ? `until ${shortDay(one.expiresAt)}` : 'expired'}
                  {one.email === undefined && `, ${cameBy(one, details.people)}`}
                </small>
              </span>
              {one.expiresAt > now && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Copy size={14} aria-hidden />}
                  onClick={() => void copyLink(invitationLink(project, one.id))}
                >
                  Copy link
                </Button>
              )}
              <button
                type="button"
                className={css.remove}
                aria-label={`Withdraw the invitation for ${one.email ?? 'whoever has the link'}`}
                onClick={() => withdraw(project, one.id).catch(onFailed)}
              >
                <Trash2 size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
