import { Ellipsis, Users } from 'lucide-react';
import { Link } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { otherMembers } from '../../../data/project/members.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import { Menu, type MenuItem } from '../../../ui/menu/menu.tsx';
import { CardCover } from './cover.tsx';
import css from './projects.module.css';

/** Most tags a tile shows. */
const MAX_SHOWN_TAGS = 3;

/** Time elapsed, in words. */
export function ago(time: number): string {
  if (time === 0) return 'just now';
  const minutes = Math.round((time - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (minutes > -1) return 'just now';
  if (minutes > -60) return format.format(minutes, 'minute');
  if (minutes > -60 * 24) return format.format(Math.round(minutes / 60), 'hour');
  return format.format(Math.round(minutes / 60 / 24), 'day');
}

/** A project as a box in the list. */
export function ProjectTile({
  project,
  note,
  items,
  closed = false,
}: {
  project: ListedProject;
  /** The line under its name. */
  note: string;
  items: readonly MenuItem[];
  /** It cannot be opened where it is. */
  closed?: boolean;
}) {
  const members = otherMembers(project).length;
  const cover = (
    <>
      <span className={css.lid} aria-hidden />
      {project.cover === 'card' && !closed && <CardCover project={project} />}
      <span className={css.coverName} aria-hidden>
        {project.name}
      </span>
      {members > 0 && (
        <span className={css.shared} title={`${members + 1} people`}>
          <Users size={14} aria-hidden /> {members + 1}
        </span>
      )}
    </>
  );
  return (
    <li className={css.tile} style={{ '--cover': project.coverColor || undefined } as React.CSSProperties}>
      {closed ? (
        <div className={css.cover} data-closed>
          {cover}
        </div>
      ) : (
        <Link
          to={`/decks/${project.id}`}
          className={css.cover ?? ''}
          data-tutorial="project"
          data-cover={project.cover}
          aria-label={`Open ${isolated(project.name)}`}
        >
          {cover}
        </Link>
      )}
      <div className={css.caption}>
        <div>
          {closed ? (
            <strong className={css.name}>{project.name}</strong>
          ) : (
            <Link to={`/decks/${project.id}`} className={css.name ?? ''}>
              {project.name}
            </Link>
          )}
          <span>{note}</span>
          {project.tags.length > 0 && (
            <span className={css.tags}>
              {project.tags.slice(0, MAX_SHOWN_TAGS).map((tag) => (
                <span key={tag}>{tag}</span>
              ))}
              {project.tags.length > MAX_SHOWN_TAGS && <span>+{project.tags.length - MAX_SHOWN_TAGS}</span>}
            </span>
          )}
        </div>
        <Menu label={`More for ${isolated(project.name)}`} width={190} items={items}>
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </div>
    </li>
  );
}
