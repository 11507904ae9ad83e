import { describeError } from '../../../data/server/messages.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { useLast } from '../../../ui/popups/use-last.ts';
import { useProject } from '../project/project-gate.tsx';
import type { Version } from './timeline.tsx';
import { useRestoring } from './use-restoring.ts';
import { versionName } from './version-words.ts';

/** Asks before a whole project is made what a version had. */
export function RestoreAll({ version, onClose }: { version: Version | undefined; onClose: () => void }) {
  const { restore } = useRestoring(useProject());
  const shown = useLast(version);
  return (
    <Confirm
      open={version !== undefined}
      title="Restore everything?"
      action="Restore everything"
      describe={describeError}
      onClose={onClose}
      run={async () => {
        if (version) await restore(version.id, 'The project');
      }}
    >
      <p>
        Cards, layouts, pictures, fonts, notes and rulebooks become what they were in{' '}
        <strong>{shown && versionName(shown)}</strong>, for everybody. The project as it is now is frozen
        first, so that you can come back to it. Members, comments and tables stay.
      </p>
    </Confirm>
  );
}
