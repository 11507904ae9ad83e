import { CircleAlert, CloudCheck, CloudOff, Hand, LoaderCircle, type LucideIcon } from 'lucide-react';
import { Tooltip } from '../tooltip.tsx';
import css from './toolbar.module.css';

const LOOKS = {
  saved: { words: 'Saved', icon: CloudCheck },
  pending: { words: 'Unsaved', icon: LoaderCircle },
  saving: { words: 'Saving…', icon: LoaderCircle },
  failed: { words: 'Not saved', icon: CircleAlert },
  refused: { words: 'Too much', icon: CircleAlert },
  offline: { words: 'Offline', icon: CloudOff },
  held: { words: 'Held back', icon: Hand },
} as const satisfies Readonly<Record<string, { words: string; icon: LucideIcon }>>;

/** Tells whether the changes on a screen are stored; the tooltip says more. */
export function SaveStatus({
  state,
  label = 'Changes are saved by themselves',
}: {
  state: keyof typeof LOOKS;
  label?: string | undefined;
}) {
  const { words, icon: Icon } = LOOKS[state];
  return (
    <Tooltip label={label}>
      <span className={css.save} data-state={state} role="status">
        <Icon size={15} aria-hidden />
        {words}
      </span>
    </Tooltip>
  );
}
