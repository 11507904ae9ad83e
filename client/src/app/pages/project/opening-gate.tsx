import { Button, Checkbox } from '@mantine/core';
import { ArrowLeft, LifeBuoy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  chooseWithout,
  chosenWithout,
  NOTHING,
  useOpening,
  type Without,
  WithoutContext,
} from '../../../data/opening.ts';
import { EmptyState, Page } from '../../../ui/page.tsx';

const PARTS: readonly { readonly part: keyof Without; readonly label: string }[] = [
  { part: 'formulas', label: 'Without formulas: their columns stay empty' },
  { part: 'pictures', label: 'Without pictures: no card is painted' },
  { part: 'sources', label: 'Without sources: addresses of tables are looked at only when you ask' },
];
const EVERYTHING: Without = { formulas: true, pictures: true, sources: true };

/** Opens a project; where the last page that tried did not get so far, asks what to leave out. */
export function OpeningGate({
  project,
  name,
  waiting,
  children,
}: {
  project: string;
  name: string;
  waiting: ReactNode;
  children: ReactNode;
}) {
  const { state, choose } = useOpening(project);
  if (state === 'checking') return waiting;
  if (state === 'open')
    return <WithoutContext.Provider value={chosenWithout(project)}>{children}</WithoutContext.Provider>;
  return (
    <Ask
      name={name}
      onChoose={(chosen) => {
        chooseWithout(project, chosen);
        choose();
      }}
    />
  );
}

function Ask({ name, onChoose }: { name: string; onChoose: (without: Without) => void }) {
  const [without, setWithout] = useState(EVERYTHING);
  return (
    <Page
      above={
        <Link to="/decks">
          <ArrowLeft size={15} aria-hidden /> Projects
        </Link>
      }
      title={name}
    >
      <EmptyState
        icon={<LifeBuoy size={26} />}
        title="This project did not finish opening"
        action={
          <>
            <div style={{ display: 'grid', gap: 10, marginBottom: 20, textAlign: 'left' }}>
              {PARTS.map(({ part, label }) => (
                <Checkbox
                  key={part}
                  label={label}
                  checked={without[part]}
                  onChange={(event) => setWithout({ ...without, [part]: event.currentTarget.checked })}
                />
              ))}
            </div>
            <Button onClick={() => onChoose(without)}>Open it so</Button>{' '}
            <Button variant="default" onClick={() => onChoose(NOTHING)}>
              Open it as usual
            </Button>
          </>
        }
      >
        The last page that showed it was closed before it could be used. Open it without what may have been
        too much, take that out, and load the page anew.
      </EmptyState>
    </Page>
  );
}
