import { Archive, ArchiveRestore, Copy, PackageOpen, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { isolated } from '../../../core/text/names.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { archiveProject, trashProject } from '../../../data/project/projects.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import type { MenuItem } from '../../../ui/menu/menu.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';

/**
 * Time in which archiving and trashing can be undone, in milliseconds: enough to read the toast and reach its button.
 */
const UNDO_MS = 6_000;

const run = (what: Promise<unknown>, done: string) =>
  void what.then(() => toasts.show(done, { type: 'success' }), tellFailure);
const putAway = (what: typeof archiveProject, project: ListedProject, done: string) =>
  void what(openProject(project), true).then(
    () =>
      toasts.show(done, {
        type: 'success',
        autoCloseTime: UNDO_MS,
        actions: [
          { buttonText: 'Undo', function: () => void what(openProject(project), false).catch(tellFailure) },
        ],
      }),
    tellFailure,
  );

/** Actions of the page on one project. */
export interface ProjectActions {
  edit(project: ListedProject): void;
  purge(project: ListedProject): void;
  copy(project: ListedProject): void;
  download(project: ListedProject): void;
}

/** Actions on a project of the list. */
export function projectMenu(project: ListedProject, inTrash: boolean, actions: ProjectActions): MenuItem[] {
  if (inTrash) {
    return [
      {
        label: 'Restore',
        icon: <RotateCcw size={15} />,
        onSelect: () =>
          run(trashProject(openProject(project), false), `“${isolated(project.name)}” is back.`),
      },
      {
        label: 'Delete for good',
        icon: <Trash2 size={15} />,
        danger: true,
        onSelect: () => actions.purge(project),
      },
    ];
  }
  return [
    { label: 'Details', icon: <Pencil size={15} />, onSelect: () => actions.edit(project) },
    { label: 'Download archive', icon: <PackageOpen size={15} />, onSelect: () => actions.download(project) },
    { label: 'Duplicate', icon: <Copy size={15} />, onSelect: () => actions.copy(project) },
    project.archived
      ? {
          label: 'Take out of the archive',
          icon: <ArchiveRestore size={15} />,
          onSelect: () =>
            run(archiveProject(openProject(project), false), `“${isolated(project.name)}” is active again.`),
        }
      : {
          label: 'Archive',
          icon: <Archive size={15} />,
          onSelect: () => putAway(archiveProject, project, `“${isolated(project.name)}” is archived.`),
        },
    {
      label: 'Move to trash',
      icon: <Trash2 size={15} />,
      danger: true,
      onSelect: () => putAway(trashProject, project, `“${isolated(project.name)}” is in the trash.`),
    },
  ];
}
