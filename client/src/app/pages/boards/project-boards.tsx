import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '../../../data/account/session.ts';
import { boardsOf } from '../../../data/boards/project-boards.ts';
import { setSharedImages } from '../../../data/images/shared-images.ts';
import { editorAddress } from '../../../data/project/layout-address.ts';
import { edits, roleOf, sees } from '../../../data/project/members.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { useJoinedProjects } from '../../../data/project/queries.ts';
import { BoardTile } from './board-tile.tsx';
import css from './boards.module.css';

const OWNER = 'boards of projects';

/** The boards and mats of the user's projects; nothing where there are none. */
export function ProjectBoards() {
  const { uid } = useUser();
  const { data: listed } = useJoinedProjects();
  const projects = (listed?.items ?? []).filter((one) => one.trashedAt === 0 && sees(roleOf(one, uid)));
  const { data: boards } = useQuery({
    queryKey: ['boards of projects', uid, projects.map(({ id, updatedAt }) => `${id} ${updatedAt}`)],
    queryFn: () => boardsOf(projects),
    enabled: projects.length > 0,
  });
  useEffect(() => {
    setSharedImages(OWNER, boards?.flatMap(({ look }) => look?.shared ?? []) ?? []);
    return () => setSharedImages(OWNER, []);
  }, [boards]);
  if (!boards || boards.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="project-boards">
      <h2 id="project-boards">In your projects</h2>
      <ul className={css.grid}>
        {boards.map(({ project, component, layout, look }) => {
          const segment = layout && openProject(project).segment(layout.id);
          const drawn = segment !== undefined && edits(roleOf(project, uid));
          return (
            <BoardTile
              key={component.id}
              scene={look?.layout}
              cells={look?.cells}
              columns={component.columns}
              name={component.name}
              note={project.name}
              to={
                drawn
                  ? editorAddress(segment, component.id)
                  : `/decks/${project.id}?component=${component.id}`
              }
            />
          );
        })}
      </ul>
    </section>
  );
}
