import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { describeError } from '../../../data/server/messages.ts';
import { NOW } from '../../../data/versions/calls.ts';
import { useGameVersions } from '../../../data/versions/queries.ts';
import { Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { usePageSearch } from '../../use-page-search.ts';
import { ProjectGate, RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { BranchPage } from './branch/branch-page.tsx';
import { ComparisonPage } from './comparison-page.tsx';
import { VersionsPage } from './versions-page.tsx';

/**
 * `/decks/{project}/versions`, `?from=…&to=…` for a comparison, and `?branch=…&from=…` for the changes of a branch that began
 * as a version.
 */
export function Component() {
  const { id: project = '' } = useParams();
  return (
    <ProjectGate key={project} project={project}>
      <Versions />
    </ProjectGate>
  );
}

function Versions() {
  const { project, details } = useOpenProject();
  const { data, error } = useGameVersions(project);
  const [search, setSearch] = usePageSearch();
  const versions = data?.items;
  const from = search.get('from');
  const branch = search.get('branch');
  if (versions && from !== null && branch !== null) {
    return <BranchPage key={`${branch} ${from}`} versions={versions} branch={branch} from={from} />;
  }
  if (versions && from !== null) {
    return (
      <ComparisonPage versions={versions} from={from} to={search.get('to') ?? NOW} onChoose={setSearch} />
    );
  }
  if (versions) {
    return (
      <VersionsPage
        versions={versions}
        notices={<UnreadableNotices list={data.unreadable} mayEdit={false} />}
      />
    );
  }
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title="Versions"
    >
      <RoleNote />
      {error ? (
        <Problem title={describeError(error)} />
      ) : (
        <>
          <Loading label="Loading versions" />
          <Placeholder height={320} radius={16} />
        </>
      )}
    </Page>
  );
}
