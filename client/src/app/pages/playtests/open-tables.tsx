import { Link } from 'react-router';
import type { ProjectDocument, Role, WithId } from '../../../data/documents/documents.ts';
import { useProjectTables } from '../../../data/play/tables.ts';
import { edits } from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { readOpenedId } from '../../../data/versions/opened.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import css from './playtests.module.css';
import { TableList } from './table-list.tsx';

/** The open tables of a project, or of one of its versions; nothing where there are none. */
export function OpenTables({
  access: { details, role },
}: {
  access: { readonly details: WithId<ProjectDocument>; readonly role: Role };
}) {
  const { project = details.id, version } = readOpenedId(details.id) ?? {};
  const { data, error } = useProjectTables(project);
  if (error) return <Problem title={describeError(error)} />;
  if (!data) return <Placeholder height={56} radius={10} />;
  const open = data.items.filter(
    (table) => table.status === 'open' && (version === undefined || table.version === version),
  );
  if (open.length === 0) return null;
  return (
    <section className={css.joinable} aria-label="Open tables">
      <TableList label="Open tables" tables={open} mayDelete={() => edits(role)} />
      <Link to="/playtesting">All tables</Link>
    </section>
  );
}
