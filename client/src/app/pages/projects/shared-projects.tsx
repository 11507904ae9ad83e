import { Copy, LogOut } from 'lucide-react';
import { useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import { leaveProject, ROLE_NAMES, roleOf, sees } from '../../../data/project/members.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { ProjectTile } from './project-tile.tsx';
import css from './projects.module.css';

/** Other people's projects that the user works on. */
export function SharedProjects({
  projects,
  onCopy,
  onFailed,
}: {
  projects: readonly ListedProject[];
  onCopy: (project: ListedProject) => void;
  onFailed: (error: unknown) => void;
}) {
  const { uid } = useUser();
  const [leaving, setLeaving] = useState<ListedProject>();
  if (projects.length === 0) return null;
  const leave = (project: ListedProject) => {
    setLeaving(undefined);
    leaveProject(project).then(
      () => toasts.show(`You have left “${isolated(project.name)}”.`, { type: 'success' }),
      onFailed,
    );
  };
  return (
    <section className={css.section} aria-labelledby="shared-with-me">
      <h2 id="shared-with-me">Shared with me</h2>
      <ul className={css.grid} aria-label="Shared with me">
        {projects.map((project) => {
          const role = roleOf(project, uid);
          const owner = project.people[project.owner] ?? 'somebody';
          return (
            <ProjectTile
              key={`${project.owner}/${project.id}`}
              project={project}
              note={`${role ? ROLE_NAMES[role] : 'Member'}, of ${owner}`}
              closed={project.trashedAt > 0}
              items={[
                {
                  label: 'Copy to my projects',
                  icon: <Copy size={15} />,
                  disabled: !sees(role),
                  onSelect: () => onCopy(project),
                },
                {
                  label: 'Leave',
                  icon: <LogOut size={15} />,
                  danger: true,
                  onSelect: () => setLeaving(project),
                },
              ]}
            />
          );
        })}
      </ul>
      <LeaveDialog project={leaving} onClose={() => setLeaving(undefined)} onLeave={leave} />
    </section>
  );
}
