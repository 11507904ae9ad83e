import { Button, TextInput } from '@mantine/core';
import { Ellipsis, Search } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { changePerson, findPeople, type Person, type PersonAction } from '../../../data/admin-calls.ts';
import { describeError } from '../../../data/messages.ts';
import { givePlan, offeredPlans } from '../../../data/plans.ts';
import { useUser } from '../../../data/session.ts';
import { Menu } from '../../../ui/menu.tsx';
import { Loading, Placeholder, Problem } from '../../../ui/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './admin.module.css';

/** Typing pauses this long before the server is asked, in milliseconds. */
const SEARCH_DELAY_MS = 250;

const DONE: Readonly<Record<PersonAction, string>> = {
  disable: 'Shut out. All sessions of the account are ended.',
  enable: 'May sign in again.',
  verify: 'The address counts as verified.',
  grantAdmin: 'An administrator from the next sign-in or token refresh on.',
  revokeAdmin: 'No administrator any more; all sessions are ended.',
  signOut: 'All sessions of the account are ended.',
};

const planName = (id: string | null) => offeredPlans().find((plan) => plan.id === id)?.name ?? id;

const when = (time: number) => (time > 0 ? new Date(time).toLocaleDateString() : 'never');

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
          person.disabled && 'shut out',
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
          className={css.more}
          items={[
            {
              label: person.disabled ? 'Let in again' : 'Shut out',
              disabled: self,
              danger: !person.disabled,
              onSelect: () => onChange(person.disabled ? 'enable' : 'disable'),
            },
            { label: 'Mark as verified', disabled: person.emailVerified, onSelect: () => onChange('verify') },
            { label: 'Sign out everywhere', onSelect: () => onChange('signOut') },
            {
              label: person.admin ? 'Take admin away' : 'Make admin',
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

/** The accounts: searched, shut out, verified, made admins. */
export function People() {
  const [text, setText] = useState('');
  const [people, setPeople] = useState<readonly Person[]>();
  const [more, setMore] = useState(false);
  const [failure, setFailure] = useState<string>();

  const load = useCallback(async (wanted: string, known: readonly Person[]) => {
    const after = known.at(-1)?.uid;
    try {
      const found = await findPeople({ text: wanted, ...(after !== undefined && { after }) });
      setPeople([...known, ...found.people]);
      setMore(found.more);
      setFailure(undefined);
    } catch (error) {
      setFailure(describeError(error));
    }
  }, []);
  useEffect(() => {
    const id = setTimeout(() => void load(text, []), SEARCH_DELAY_MS);
    return () => clearTimeout(id);
  }, [text, load]);

  const change = async (person: Person, action: PersonAction) => {
    try {
      const { person: changed } = await changePerson({ uid: person.uid, action });
      setPeople((now) => now?.map((one) => (one.uid === changed.uid ? changed : one)));
      toasts.show(DONE[action], { type: 'success', autoCloseTime: 4_000 });
    } catch (error) {
      toasts.show(describeError(error), { type: 'error', autoCloseTime: 8_000 });
    }
  };
  const give = async (person: Person, plan: string) => {
    try {
      const held = await givePlan(person.uid, plan);
      setPeople((now) => now?.map((one) => (one.uid === person.uid ? { ...one, plan: held } : one)));
      // What is paid for may be larger than what is given.
      toasts.show(`${person.email || person.uid} has the plan ${planName(held)}.`, {
        type: 'success',
        autoCloseTime: 4_000,
      });
    } catch (error) {
      toasts.show(describeError(error), { type: 'error', autoCloseTime: 8_000 });
    }
  };
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
      {people?.length === 0 && <p>Nobody with “{text}” in address, name or id.</p>}
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
      {people && more && (
        <Button variant="default" onClick={() => void load(text, people)}>
          Show more
        </Button>
      )}
    </>
  );
}
