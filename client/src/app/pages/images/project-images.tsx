import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { cleanPath } from '../../../core/images/path.ts';
import { isolated } from '../../../core/text/names.ts';
import { imagesOf } from '../../../data/images/library-location.ts';
import { edits } from '../../../data/project/members.ts';
import { WhoSees } from '../../transfers/who-sees.tsx';
import { ProjectGate, RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { ImageCollection } from './images.tsx';
import { ImagesLacking } from './images-lacking.tsx';

/** `/decks/images/{project}/*` */
export function Component() {
  const { deck: project = '', '*': rest = '' } = useParams();
  return (
    <ProjectGate key={project} project={project}>
      <ProjectImages folder={cleanPath(rest)} />
    </ProjectGate>
  );
}

/** A folder of a project's own images. */
function ProjectImages({ folder }: { folder: string }) {
  const { project, details, role, original } = useOpenProject();
  const root = `/decks/images/${project.id}`;
  return (
    <ImageCollection
      place={imagesOf(project)}
      folder={folder}
      address={(to) => [root, ...to.split('/').filter(Boolean).map(encodeURIComponent)].join('/')}
      title="Images"
      lead={`What the cards and layouts of ${isolated(details.name)} show.`}
      whoSees={<WhoSees project={original.details} />}
      mayEdit={edits(role)}
      above={
        <Link to={`/decks/${project.id}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      note={
        <>
          <RoleNote />
          {edits(role) && <ImagesLacking project={project} />}
        </>
      }
    />
  );
}
