import { Button } from '@mantine/core';
import { useRouteError } from 'react-router';
import { Problem } from '../../ui/page/page.tsx';
import { words } from '../server/server.ts';
import css from './unreachable.module.css';

/** In place of a page that broke, or that there is not. */
export function PageError() {
  const error = useRouteError();
  return (
    <div className={css.page}>
      <h1>{error === undefined ? 'No such page' : 'This page broke'}</h1>
      <Problem
        title={error === undefined ? 'The console has nothing at this address.' : words(error)}
        action={
          <Button component="a" href="/console/" size="xs" variant="default">
            To the documents
          </Button>
        }
      />
    </div>
  );
}
