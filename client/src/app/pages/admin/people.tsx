import { Button, TextInput } from '@mantine/core';
import { Ellipsis, Search, UserSearch } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { givePlan, offeredPlans } from '../../../data/account/plans.ts';
import { useUser } from '../../../data/account/session.ts';
import { changePerson, findPeople, type Person, type PersonAction } from '../../../data/admin/admin-calls.ts';
import { describeError } from '../../../data/server/messages.ts';
import { shortDay } from '../../../ui/dates.ts';
import { Menu } from '../../../ui/menu/menu.tsx';
import { EmptyState, Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './admin.module.css';

/** Typing pauses this long before the server is asked, in milliseconds. */
const SEARCH_DELAY_MS = 250;

const DONE: Readonly<Record<PersonAction, string>> = {
  disable: 'The account is disabled. All its sessions are ended.',
  enable: 'The account is enabled and can sign in again.',
  verify: 'The address is marked as verified.',
  grantAdmin: 'Administrator rights start at the next sign-in or token refresh.',
  revokeAdmin: 'Administrator rights are removed. All sessions of the account are ended.',
  signOut: 'All sessions of the account are ended.',
};

const planName = (id: string | null) => offeredPlans().find((plan) => plan.id === id)?.name ?? id;

const when = (time: number) => (time > 0 ? shortDay(time) : 'never');

function Row({
  person,
  onChange,
  onGive,
}: {
  person: Person;
  onChange: (action: PersonAction) => void;
  onGive: (plan: string) => void;
}) {
  const self = useUser().uid === person.uid;
  const name = person.email || person.uid;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <span>
          {person.displayName || 'No name'}
          {self && ', you'}
        </span>
      </td>
      <td data-label="State">
        {[
          person.admin && 'admin',
          person.disabled && 'disabled',
          person.emailVerified ? 'verified' : 'not verified',
        ]
          .filter(Boolean)
          .join(', ')}
      </td>
      {offeredPlans().length > 0 && <td data-label="Plan">{planName(person.plan)}</td>}
      <td data-label="Since">{when(person.createdAt)}</td>
      <td data-label="Last here">{when(person.lastLoginAt)}</td>
      <td>
        <Menu
          label={`More for ${name}`}
          items={[
            {
              label: person.disabled ? 'Enable account' : 'Disable account',
              disabled: self,
              danger: !person.disabled,
              onSelect: () => onChange(person.disabled ? 'enable' : 'disable'),
            },
            { label: 'Mark as verified', disabled: person.emailVerified, onSelect: () => onChange('verify') },
            { label: 'Sign out everywhere', onSelect: () => onChange('signOut') },
            {
              label: person.admin ? 'Remove admin rights' : 'Make admin',
              disabled: self,
              divided: true,
              onSelect: () => onChange(person.admin ? 'revokeAdmin' : 'grantAdmin'),
            },
            ...offeredPlans().map(({ id, name }, at) => ({
              label: `Give the plan ${name}`,
              divided: at === 0,
              onSelect: () => onGive(id),
            })),
          ]}
        >
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </td>
    </tr>
  );
}

/** Results of a search so far. */
interface Found {
  readonly text: string;
  readonly people: readonly Person[];
  readonly more: boolean;
}

/** The accounts: searched, disabled, verified, made admins. */
export function People() {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  /** Counts what was asked: only the answer to the last question is taken. */
  const asked = useRef(0);

  const load = useCallback(async (wanted: string, after?: string) => {
    const mine = ++asked.current;
    setBusy(true);
    try {
      const { people, more } = await findPeople({ text: wanted, ...(after !== undefined && { after }) });
      if (mine !== asked.current) return;
      setFound((known) => {
        const before = after === undefined ? [] : (known?.people ?? []);
        return { text: wanted, people: [...before, ...people], more };
      });
      setFailure(undefined);
    } catch (error) {
      if (mine === asked.current) setFailure(describeError(error));
    } finally {
      if (mine === asked.current) setBusy(false);
    }
  }, []);
  useEffect(() => {
    const id = setTimeout(() => void load(text), SEARCH_DELAY_MS);
    return () => {
      clearTimeout(id);
      // Replies still under way belong to another text.
      asked.current++;
      setBusy(false);
    };
  }, [text, load]);

  const replace = (uid: string, change: (person: Person) => Person) =>
    setFound(
      (now) => now && { ...now, people: now.people.map((one) => (one.uid === uid ? change(one) : one)) },
    );
  const change = async (person: Person, action: PersonAction) => {
    try {
      const { person: changed } = await changePerson({ uid: person.uid, action });
      replace(changed.uid, () => changed);
      toasts.show(DONE[action], { type: 'success', autoCloseTime: 4_000 });
    } catch (error) {
      tellFailure(error);
    }
  };
  const give = async (person: Person, plan: string) => {
    try {
      const held = await givePlan(person.uid, plan);
      replace(person.uid, (one) => ({ ...one, plan: held }));
      // A paid plan may be larger than the granted one.
      toasts.show(`${person.email || person.uid} has the plan ${planName(held)}.`, {
        type: 'success',
        autoCloseTime: 4_000,
      });
    } catch (error) {
      tellFailure(error);
    }
  };
  const people = found?.people;
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search people"
        placeholder="Address, name or id"
        leftSection={<Search size={16} aria-hidden />}
        className={css.search ?? ''}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <Problem title={failure} />}
      {!people && !failure && (
        <>
          <Loading label="Loading people" />
          <Placeholder height={220} radius={12} />
        </>
      )}
      {people?.length === 0 && (
        <EmptyState
          icon={<UserSearch size={26} />}
          title={found?.text ? `Nobody with “${found.text}”` : 'Nobody has an account yet'}
          action={found?.text ? <Button onClick={() => setText('')}>Show everybody</Button> : undefined}
        >
          {found?.text
            ? 'Addresses, names and ids were searched. Try a part of the address, or look through everybody.'
            : 'People make their own: give them the address of this server, and they sign up.'}
        </EmptyState>
      )}
      {people && people.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section className={css.scroll} tabIndex={0} aria-label="Accounts">
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">State</th>
                {offeredPlans().length > 0 && <th scope="col">Plan</th>}
                <th scope="col">Since</th>
                <th scope="col">Last here</th>
                <th scope="col">
                  <span className={css.hidden}>Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <Row
                  key={person.uid}
                  person={person}
                  onChange={(action) => void change(person, action)}
                  onGive={(plan) => void give(person, plan)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {found?.more && (
        <Button
          variant="default"
          loading={busy}
          onClick={() => void load(found.text, found.people.at(-1)?.uid)}
        >
          Show more
        </Button>
      )}
    </>
  );
}
