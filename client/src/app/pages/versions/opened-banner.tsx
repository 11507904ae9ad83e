import { Button } from '@mantine/core';
import { ArrowLeft, GitBranch, Snowflake } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import type { ProjectDocument, WithId } from '../../../data/documents/documents.ts';
import type { ProjectName } from '../../../data/project/addresses.ts';
import { duplicateProject } from '../../../data/project/transfer/duplicate.ts';
import { readOpenedId } from '../../../data/versions/opened.ts';
import { shortDay } from '../../../ui/dates.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { type LongWork, WorkDialog } from '../projects/work-dialog.tsx';
import { openedLabel } from './version-words.ts';
import css from './versions.module.css';

/** Says that a version is shown and nothing can be changed, and leads back or on to a project of one's own. */
export function OpenedBanner({ name, details }: { name: ProjectName; details: WithId<ProjectDocument> }) {
  const navigate = useNavigate();
  const [work, setWork] = useState<LongWork>();
  const { project = '', version = '' } = readOpenedId(name.id) ?? {};
  const { frozenAt } = details;
  const label = openedLabel(details);
  const branch = () =>
    setWork({
      title: `Copying ${label} of ${isolated(details.name)}`,
      run: async (options) => {
        const from = { project, version, name: details.name, versionName: label };
        const id = await duplicateProject(name, options, from);
        toasts.show(`A new project begins as ${label} of ${isolated(details.name)}.`, { type: 'success' });
        await navigate(`/decks/${id}`);
      },
    });
  return (
    <aside className={css.banner} aria-label="Version">
      <p>
        <Snowflake size={16} aria-hidden />
        <span>
          <b>{label}</b> of {details.name}
          {frozenAt !== undefined && frozenAt > 0 && `, frozen ${shortDay(frozenAt)}`}, read-only
        </span>
      </p>
      <Button
        size="compact-sm"
        variant="default"
        component={Link}
        to={`/decks/${project}`}
        leftSection={<ArrowLeft size={14} aria-hidden />}
      >
        Back to the project
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<GitBranch size={14} aria-hidden />}
        onClick={branch}
      >
        Duplicate as a new project
      </Button>
      <WorkDialog work={work} onClose={() => setWork(undefined)} />
    </aside>
  );
}
