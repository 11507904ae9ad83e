import { Link } from 'react-router';
import type { ProjectDocument, Role, WithId } from '../../../data/documents/documents.ts';
import { useProjectTables } from '../../../data/play/tables.ts';
import { edits } from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import css from './playtests.module.css';
import { TableList } from './table-list.tsx';

/** The open tables of a project; nothing where there are none. */
export function OpenTables({
  access,
}: {
  access: { readonly details: WithId<ProjectDocument>; readonly role: Role };
}) {
  const { data, error } = useProjectTables(access.details.id);
  if (error) return <Problem title={describeError(error)} />;
  if (!data) return <Placeholder height={56} radius={10} />;
  const open = data.items.filter(({ status }) => status === 'open');
  if (open.length === 0) return null;
  return (
    <section className={css.joinable} aria-label="Open tables">
      <TableList label="Open tables" tables={open} mayDelete={() => edits(access.role)} />
      <Link to="/playtesting">All tables</Link>
    </section>
  );
}
