import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { ListedProject } from '../../../data/project/queries.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';

/** Asks before a member goes. */
export function LeaveDialog({
  project,
  onClose,
  onLeave,
}: {
  project: ListedProject | undefined;
  onClose: () => void;
  onLeave: (project: ListedProject) => void;
}) {
  const shown = useRef(project);
  if (project) shown.current = project;
  return (
    <Popup open={project !== undefined} onClose={onClose} title="Leave this project?">
      <p>
        <strong>{shown.current?.name}</strong> disappears from your projects. To come back you need a new
        invitation.
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Stay
        </Button>
        <Button color={DANGER} onClick={() => project && onLeave(project)}>
          Leave
        </Button>
      </PopupActions>
    </Popup>
  );
}
