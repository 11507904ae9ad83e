import { Button } from '@mantine/core';
import { Grid3x3 } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState, Page } from '../../../ui/page/page.tsx';

/** No such board in this browser. */
export function MissingDraft() {
  return (
    <Page title="No such board">
      <EmptyState
        icon={<Grid3x3 size={26} />}
        title="This board is not in this browser"
        action={
          <Button component={Link} to="/boards">
            To the board maker
          </Button>
        }
      >
        It may have been deleted or saved to a project, or it was drawn in another browser: a board without an
        account stays where it was drawn.
      </EmptyState>
    </Page>
  );
}
