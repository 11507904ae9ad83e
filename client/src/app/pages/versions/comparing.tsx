import { Button } from '@mantine/core';
import { describeError, isMissing } from '../../../data/server/messages.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';

/** In place of a comparison: that it is being made, or why it is not there, with another try. */
export function Comparing({
  error,
  missing,
  busy,
  height,
  onAgain,
}: {
  error: unknown;
  /** Words for versions that are not there any longer. */
  missing: string;
  busy: boolean;
  /** Height that the comparison will have, in pixels. */
  height: number;
  onAgain: () => void;
}) {
  if (error)
    return (
      <Problem
        title={isMissing(error) ? missing : describeError(error)}
        action={
          <Button size="xs" variant="default" loading={busy} onClick={onAgain}>
            Try again
          </Button>
        }
      />
    );
  return (
    <>
      <Loading label="Comparing" />
      <Placeholder height={height} radius={16} />
    </>
  );
}
