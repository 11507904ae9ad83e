import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import { duplicateProject } from '../../../data/project/transfer/duplicate.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import type { LongWork } from './work-dialog.tsx';

/** Work on whole projects that takes a while and is shown in a dialog. */
export function useLongWork() {
  const [work, setWork] = useState<LongWork>();
  const navigate = useNavigate();
  const copy = (project: ListedProject) =>
    setWork({
      title: `Copying ${isolated(project.name)}`,
      run: async (options) => {
        await duplicateProject(project, options);
        toasts.show(`“${isolated(project.name)} copy” is ready.`, { type: 'success' });
      },
    });

  const download = (project: ListedProject) =>
    setWork({
      title: `Packing ${isolated(project.name)}`,
      run: async (options) => {
        const { downloadArchive } = await import('./archive-work.ts');
        toasts.show(`${await downloadArchive(project, options)} is downloaded.`, { type: 'success' });
      },
    });
  const openFile = (file: File) =>
    setWork({
      title: `Opening ${isolated(file.name)}`,
      run: async (options) => {
        const { openArchive } = await import('./archive-work.ts');
        const id = await openArchive(file, options);
        toasts.show('The project is here.', { type: 'success' });
        await navigate(`/decks/${id}`);
      },
    });

  const openSample = () =>
    setWork({
      title: 'Unpacking the sample game',
      run: async (options) => {
        const [{ driftglass }, { writeProject }] = await Promise.all([
          import('./sample/driftglass.ts'),
          import('../../../data/project/transfer/write-project.ts'),
        ]);
        const id = await writeProject(driftglass(), options);
        await navigate(`/decks/${id}`);
      },
    });
  return { work, setWork, copy, download, openFile, openSample };
}
