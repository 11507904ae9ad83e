import { Button } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { edits } from '../../../../data/project/members.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { useOpenProject } from '../../project/project-gate.tsx';
import css from '../comparison.module.css';
import { useComparison } from '../comparison-context.ts';
import { useRestoring } from '../use-restoring.ts';

/** One thing that differs: its name, the way back, and its differences. */
export function DetailFrame({
  title,
  kind,
  restore,
  children,
}: {
  title: string;
  /** Its kind, and what became of it. */
  kind: string;
  /** The way back, for those who may. */
  restore?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={css.detail} aria-label={title}>
      <header>
        <h2>
          {title}
          <small>{kind}</small>
        </h2>
        {restore}
      </header>
      {children}
    </section>
  );
}

/** A button that makes something what it was in the earlier of the two states. */
export function RestoreButton({
  label = 'Restore',
  of,
  busy = false,
  small = false,
  onRestore,
}: {
  label?: string;
  /** The thing restored, for people who do not see where the button stands. */
  of: string;
  busy?: boolean;
  small?: boolean;
  onRestore: () => void;
}) {
  const { labels } = useComparison();
  return (
    <Button
      size={small ? 'compact-xs' : 'xs'}
      variant="default"
      loading={busy}
      aria-label={`${label} ${of}`}
      title={`As in ${labels[0]}`}
      leftSection={<RotateCcw size={small ? 13 : 15} aria-hidden />}
      onClick={onRestore}
    >
      {label}
    </Button>
  );
}

/** The same for documents that the server restores; nothing for those who may not. */
export function RestorePaths({ paths, of }: { paths: readonly string[]; of: string }) {
  const { project, role } = useOpenProject();
  const { from } = useComparison();
  const { busy, restore } = useRestoring(project);
  if (!edits(role)) return null;
  return (
    <RestoreButton of={of} busy={busy} onRestore={() => void restore(from, of, paths).catch(tellFailure)} />
  );
}
