import { useMemo } from 'react';
import { edits } from '../../../../data/project/members.ts';
import { openProject, type Project } from '../../../../data/project/open-project.ts';
import { versionOfPrint } from '../../../../data/versions/of-print.ts';
import { readOpenedId } from '../../../../data/versions/opened.ts';
import type { PrintedVersion } from '../../../../data/versions/schema.ts';
import { useAccess } from '../../project/project-gate.tsx';
import { openedLabel } from '../../versions/version-words.ts';

/** The place where prints are noted. */
export interface Printed {
  /** The project itself: prints of its versions are noted there too, for they are on paper like all others. */
  readonly home: Project;
  /** True if the user may note prints. */
  readonly mayNote: boolean;
  /** Answers the version that is printed; the project as it is gets one first. */
  readonly version: () => Promise<PrintedVersion | undefined>;
}

/** @param project a project, or an opened version */
export function usePrinted(project: Project): Printed {
  const access = useAccess();
  const home = useMemo(() => {
    const opened = readOpenedId(project.id);
    return opened ? openProject({ id: opened.project, owner: project.owner }, project.db) : project;
  }, [project]);
  const version = async () => {
    const opened = readOpenedId(project.id);
    if (!opened) return versionOfPrint(project);
    return { version: opened.version, versionName: access ? openedLabel(access.details) : '' };
  };
  return { home, mayNote: edits(access?.original.role), version };
}
