import { Button } from '@mantine/core';
import { Problem } from '../../ui/page/page.tsx';
import { words } from '../server/server.ts';
import css from './unreachable.module.css';

/** In place of the console when there is no server for it. */
export function Unreachable({ error }: { error: unknown }) {
  return (
    <main className={css.page}>
      <h1>Console</h1>
      <Problem
        title={words(error)}
        action={
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Try again
          </Button>
        }
      />
    </main>
  );
}
