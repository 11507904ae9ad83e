import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { MAX_NAME } from '../../../core/play/protocol/limits.ts';
import { nameAtTable, VISITOR } from '../../../core/play/view/names.ts';
import { changeName } from '../../../data/account/account.ts';
import { useGuest, useSession } from '../../../data/account/session.ts';
import { CODE_SIGNS, codeFault, codeIn, joinProblem, joinTable } from '../../../data/play/admission.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { AuthPage, formClass } from '../auth/auth-page.tsx';
import css from './join.module.css';
import { LANGUAGE_PARAMETER } from './language-parameter.ts';

/** `/join/{code}` */
export function Component() {
  const { code: given = '' } = useParams();
  return <Join key={given} given={codeIn(given)} />;
}

function Join({ given }: { given: string }) {
  const [user, guest] = [useSession(), useGuest()];
  // Whoever came to a sample table has not said a name yet.
  const known = user ?? (guest?.displayName === VISITOR ? null : guest);
  const [code, setCode] = useState(given);
  const [name, setName] = useState('');
  const [faults, setFaults] = useState<{ code?: string | undefined; name?: string | undefined }>({});
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const { busy, failure, submit } = useSubmit(async () => {
    const found = {
      code: codeFault(code),
      name: known || name.trim() !== '' ? undefined : 'Enter the name that the others will see.',
    };
    setFaults(found);
    if (found.code ?? found.name) return;
    const joined = await joinTable(code, known ? nameAtTable(known) : name.trim());
    // Should it fail, they sit down under the seat's name.
    if (guest && !known) await changeName(name).catch((error) => console.warn(error));
    const language = parameters.get(LANGUAGE_PARAMETER);
    const search = language ? `?${new URLSearchParams({ [LANGUAGE_PARAMETER]: language })}` : '';
    await navigate(`/playtesting/${joined.ownerId}/${joined.table}${search}`);
  }, joinProblem);
  return (
    <AuthPage
      title="Join a table"
      lead="The host of a game gives you its code. You do not need an account to play."
      foot={
        !known && (
          <span>
            Have an account? <Link to={`/login?to=/join/${code}`}>Log in first</Link>
          </span>
        )
      }
    >
      <form className={formClass} onSubmit={submit} noValidate>
        {failure && <Problem title={failure} />}
        <TextInput
          label="Code"
          description="Six letters and digits; a link to the table will do too"
          classNames={{ input: css.code ?? '' }}
          size="lg"
          value={code}
          error={faults.code}
          autoFocus={given === ''}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={'·'.repeat(CODE_SIGNS)}
          onChange={({ currentTarget }) => {
            setCode(codeIn(currentTarget.value));
            setFaults(({ name: other }) => ({ name: other }));
          }}
        />
        {known ? (
          <p className={css.who}>
            You join as <strong>{nameAtTable(known)}</strong>
            {guest && ', as you did before in this browser'}.
          </p>
        ) : (
          <TextInput
            label="Your name"
            description="The others at the table see it"
            size="lg"
            value={name}
            error={faults.name}
            maxLength={MAX_NAME}
            autoFocus={given !== ''}
            autoComplete="nickname"
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              setFaults(({ code: other }) => ({ code: other }));
            }}
          />
        )}
        <Button type="submit" size="lg" fullWidth loading={busy}>
          Join the table
        </Button>
        {!known && (
          <p className={css.note}>
            Without an account, only your name is kept here, until 30 days after your last table.
          </p>
        )}
      </form>
    </AuthPage>
  );
}
