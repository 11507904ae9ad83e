import type { ComponentProps } from 'react';
import { Confirm as Ask } from '../../ui/confirm.tsx';
import { words } from '../server/server.ts';

/** Asks before something is lost. */
export function Confirm(props: Omit<ComponentProps<typeof Ask>, 'describe' | 'focused'>) {
  return <Ask {...props} describe={words} focused />;
}
