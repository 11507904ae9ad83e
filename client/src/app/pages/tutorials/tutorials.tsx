import { Button } from '@mantine/core';
import { MousePointerClick } from 'lucide-react';
import { Link } from 'react-router';
import { useSession } from '../../../data/account/session.ts';
import { needsVerification } from '../../../data/account/verification.ts';
import { Page } from '../../../ui/page/page.tsx';
import { Prose } from '../../prose/prose.tsx';
import { tutorials } from '../../tutorials/runtime.ts';
import { GUIDE_FIGURES } from './guide-figures.tsx';
import { GUIDES } from './guides.ts';
import css from './tutorials.module.css';

/** `/Tutorials/`: illustrated guides, step by step. */
export function Component() {
  const user = useSession();
  const locked = user !== null && needsVerification(user);
  return (
    <Page
      title="Tutorials"
      lead="Step by step, with pictures. Where there is a click-through tutorial, it does the same on your own screen."
    >
      <nav className={css.contents} aria-label="Guides">
        {GUIDES.map(({ id, title, lead }) => (
          <Link key={id} to={`#${id}`}>
            <strong>{title}</strong>
            <span>{lead}</span>
          </Link>
        ))}
      </nav>
      {GUIDES.map(({ id, title, tutorial, words }) => (
        <section key={id} id={id} className={css.guide} aria-label={title}>
          <header>
            <h2>{title}</h2>
            {tutorial && user && (
              <Button
                variant="default"
                disabled={locked}
                leftSection={<MousePointerClick size={16} aria-hidden />}
                onClick={() => tutorials.activate(tutorial)}
              >
                Click through it
              </Button>
            )}
            {tutorial && locked && (
              <p>
                It can be clicked through once your e-mail address is verified: open the link we sent you.
              </p>
            )}
          </header>
          <Prose source={words} figures={GUIDE_FIGURES} />
        </section>
      ))}
    </Page>
  );
}
