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
import { EmptyState, Page } from '../../../ui/page/page.tsx';

type Kind = 'project' | 'layout';

interface Part {
  readonly part: keyof Without;
  readonly label: string;
}

/** The parts that may be left out of each kind. */
const PARTS: Readonly<Record<Kind, readonly Part[]>> = {
  project: [
    { part: 'formulas', label: 'Without formulas: their columns stay empty' },
    { part: 'pictures', label: 'Without pictures: no card is painted' },
    { part: 'sources', label: 'Without sources: addresses of tables are looked at only when you ask' },
  ],
  layout: [
    { part: 'formulas', label: 'Without formulas: their results are not shown' },
    { part: 'pictures', label: 'Without pictures: the card is not painted' },
  ],
};
const LISTS: Readonly<Record<Kind, string>> = { project: 'Projects', layout: 'Layouts' };
const EVERYTHING: Without = { formulas: true, pictures: true, sources: true };

interface Opened {
  readonly kind: Kind;
  readonly name: string;
  /** Path of the list it is in. */
  readonly back: string;
}

/** Opens a project or a layout; where the last page that tried did not get so far, asks what to leave out. */
export function OpeningGate({
  id,
  waiting,
  children,
  ...opened
}: Opened & { id: string; waiting: ReactNode; children: ReactNode }) {
  const { state, choose } = useOpening(id);
  if (state === 'checking') return waiting;
  if (state === 'open')
    return <WithoutContext.Provider value={chosenWithout(id)}>{children}</WithoutContext.Provider>;
  return (
    <Ask
      {...opened}
      onChoose={(chosen) => {
        chooseWithout(id, chosen);
        choose();
      }}
    />
  );
}

function Ask({ kind, name, back, onChoose }: Opened & { onChoose: (without: Without) => void }) {
  const [without, setWithout] = useState(EVERYTHING);
  return (
    <Page
      above={
        <Link to={back}>
          <ArrowLeft size={15} aria-hidden /> {LISTS[kind]}
        </Link>
      }
      title={name}
    >
      <EmptyState
        icon={<LifeBuoy size={26} />}
        title={`This ${kind} did not finish opening`}
        action={
          <>
            <div style={{ display: 'grid', gap: 10, marginBottom: 20, textAlign: 'left' }}>
              {PARTS[kind].map(({ part, label }) => (
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
