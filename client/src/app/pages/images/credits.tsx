import { Button } from '@mantine/core';
import { ArrowLeft, Copy, Images } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { type CreditLine, creditsText } from '../../../data/images/credits.ts';
import { useImageLibrary } from '../../../data/images/library-store.ts';
import { creditsOf, type ProjectCredits } from '../../../data/images/project-credits.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { ProjectGate, useOpenProject } from '../project/project-gate.tsx';
import css from './images.module.css';

const NO_LINES: readonly CreditLine[] = [];

/** `/decks/credits/{project}` */
export function Component() {
  const { deck: project = '' } = useParams();
  return (
    <ProjectGate key={project} project={project}>
      <Credits />
    </ProjectGate>
  );
}

/** Authors and licences of a project's images, collected from every card. */
function Credits() {
  const { project, details } = useOpenProject();
  const own = useImageLibrary('image');
  const stock = useImageLibrary('stock');
  const [found, setFound] = useState<ProjectCredits>();
  const [failure, setFailure] = useState<string>();
  const ready = own.ready && (stock.ready || stock.error !== null);
  const all = useMemo(() => [...own.images, ...stock.images], [own.images, stock.images]);
  useEffect(() => {
    if (!ready) return;
    let stale = false;
    creditsOf(project, all).then(
      (credits) => {
        if (!stale) setFound(credits);
      },
      (error: unknown) => {
        if (!stale) setFailure(describeError(error));
      },
    );
    return () => {
      stale = true;
    };
  }, [project, ready, all]);
  const lines = found?.lines ?? NO_LINES;
  const text = creditsText(lines);
  const problem = failure ?? (own.error ? describeError(own.error) : undefined);
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title="Credits"
      lead="Who made the pictures on these cards. It follows the licence and credit of each image."
      actions={
        text !== '' && (
          <Button
            leftSection={<Copy size={16} aria-hidden />}
            onClick={() =>
              void navigator.clipboard
                ?.writeText(text)
                .then(() => toasts.show('Copied: paste it into your rules.', { type: 'success' }))
            }
          >
            Copy as text
          </Button>
        )
      }
    >
      {problem && <Problem title={problem} />}
      {!found && !problem && (
        <>
          <Loading label="Looking at every card" />
          <Placeholder height={160} radius={12} />
        </>
      )}
      {found && lines.length === 0 && (
        <EmptyState
          icon={<Images size={26} />}
          title="No pictures to credit yet"
          action={
            <Button component={Link} to={`/decks/images/${project.id}`}>
              To the project’s images
            </Button>
          }
        >
          As soon as a card or its layout shows an image, its licence and credit are listed here.
        </EmptyState>
      )}
      {lines.length > 0 && (
        <ul className={css.credits} aria-label="Credits">
          {lines.map(({ credit, licence, paths }) => (
            <li key={`${credit} ${licence}`} data-unknown={(credit === '' && licence === '') || undefined}>
              <strong>{credit || (licence ? 'Without a name' : 'Nothing is said of these yet')}</strong>
              <span>
                {licence ||
                  (credit ? 'No licence given' : 'Set licence and credit among the project’s images.')}
              </span>
              <p>{paths.join(', ')}</p>
            </li>
          ))}
        </ul>
      )}
      {found && found.missing.length > 0 && (
        <Problem title="Images that are nowhere">
          {found.missing.slice(0, 20).join(', ')}
          {found.missing.length > 20 && ` and ${found.missing.length - 20} more`}
        </Problem>
      )}
    </Page>
  );
}
