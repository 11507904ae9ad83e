import type { Project } from '../../../../data/project/open-project.ts';
import type { ProjectWork } from '../../../../data/project/transfer/read-project.ts';
import { publishVersion } from '../../../../data/versions/share/publish-version.ts';
import { createRulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { sharedRenderer } from '../../../painting/renderer.ts';
import type { Version } from '../timeline.tsx';

/** Makes the public link of a version, painting in workers what its rulebooks show. */
export async function makeLink(
  project: Project,
  game: string,
  version: Version,
  work: ProjectWork,
): Promise<string> {
  const setter = createRulebookSetter();
  try {
    const tools = {
      fitGroups: (...args: Parameters<ReturnType<typeof sharedRenderer>['fitGroups']>) =>
        sharedRenderer().fitGroups(...args),
      illustrate: setter.illustrate,
    };
    return await publishVersion(project, game, version, tools, work);
  } finally {
    setter.dispose();
  }
}
