import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Difference } from '../../../core/versions/difference.ts';
import { NOW } from '../../../data/versions/calls.ts';
import { openedId } from '../../../data/versions/opened.ts';
import { printOnlyHash } from '../print/only/print-only.ts';
import { useProject } from '../project/project-gate.tsx';
import css from './comparison.module.css';
import { useComparison } from './comparison-context.ts';
import { useReprint } from './use-reprint.ts';

/**
 * Changes for a print: how many cards, and the way to a sheet of them alone. They are counted when somebody asks, as both
 * states are laid out whole for it.
 */
export function Reprint({ difference }: { difference: Difference }) {
  const { components, layouts, images, fonts } = difference;
  const [asked, setAsked] = useState(false);
  if (components.length + layouts.length + images.length + fonts.length === 0) return null;
  if (asked) return <Counted difference={difference} />;
  return (
    <div className={css.reprint}>
      <Button
        size="xs"
        variant="default"
        leftSection={<Printer size={15} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        Count the cards to reprint
      </Button>
    </div>
  );
}

function Counted({ difference }: { difference: Difference }) {
  const project = useProject();
  const { from, to, labels } = useComparison();
  const navigate = useNavigate();
  const { cards, failure } = useReprint(project, from, to, difference);
  const count = cards?.length ?? 0;
  return (
    <div className={css.reprint} role="status">
      <Printer size={16} aria-hidden />
      {failure !== undefined && <p>The cards to reprint could not be counted. {failure}</p>}
      {failure === undefined && !cards && <p>Counting the cards to reprint…</p>}
      {cards && count === 0 && <p>No card looks different on paper.</p>}
      {cards && count > 0 && (
        <>
          <p>
            {count} {count === 1 ? 'card' : 'cards'} to reprint
          </p>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              void navigate({
                pathname: `/decks/print/${to === NOW ? project.id : openedId({ project: project.id, version: to })}`,
                hash: printOnlyHash({ cards, words: `that changed since ${labels[0]}` }),
              })
            }
          >
            Print {count === 1 ? 'it' : 'only these'}
          </Button>
        </>
      )}
    </div>
  );
}
