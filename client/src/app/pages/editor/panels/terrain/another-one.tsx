import { Button } from '@mantine/core';
import { Dices } from 'lucide-react';
import { newSeed } from './seed.ts';

/** Draws the same by another chance. */
export function AnotherOne({
  disabled = false,
  onSeed,
}: {
  disabled?: boolean;
  onSeed: (seed: string) => void;
}) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<Dices size={14} aria-hidden />}
      disabled={disabled}
      onClick={() => onSeed(newSeed())}
    >
      Another one
    </Button>
  );
}
