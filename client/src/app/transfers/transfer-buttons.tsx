import { Button } from '@mantine/core';
import { FolderInput, FolderOutput } from 'lucide-react';
import type { NamedThings } from './carry-out.ts';
import type { Transfers } from './use-transfers.tsx';

/** Buttons that copy and move things. */
export function TransferButtons({
  things,
  transfers,
  copyLabel = 'Copy to…',
}: {
  things: NamedThings;
  transfers: Transfers;
  copyLabel?: string;
}) {
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<FolderInput size={14} aria-hidden />}
        onClick={() => transfers.copy(things)}
      >
        {copyLabel}
      </Button>
      {things.mayMove && (
        <Button
          size="xs"
          variant="default"
          leftSection={<FolderOutput size={14} aria-hidden />}
          onClick={() => transfers.move(things)}
        >
          Move to…
        </Button>
      )}
    </>
  );
}
