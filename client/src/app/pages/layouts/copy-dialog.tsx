import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import { addToProject } from '../../../data/layouts/layouts.ts';
import { edits, roleOf } from '../../../data/project/members.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { useJoinedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { projectChoices } from '../projects/project-list.ts';
import type { Shelved } from './shelf.ts';

/** Choice of the user's own library; ids of projects are never empty. */
const LIBRARY = '';

/** Asks where a copy of a layout goes: into a project, or into the library. */
export function CopyDialog({ of, onClose }: { of: Shelved | undefined; onClose: () => void }) {
  const { uid } = useUser();
  const navigate = useNavigate();
  const { data, error } = useJoinedProjects();
  const [chosen, setChosen] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (of) setChosen(undefined);
  }, [of]);
  const from = of?.shelf.project;
  const projects = (data?.items ?? []).filter(
    (one) => one.trashedAt === 0 && one.id !== from?.id && edits(roleOf(one, uid)),
  );
  const choices = [...(from ? [{ value: LIBRARY, label: 'Your library' }] : []), ...projectChoices(projects)];
  const target = choices.find(({ value }) => value === chosen) ?? choices[0];

  const copy = async () => {
    const found = projects.find(({ id }) => id === target?.value);
    if (!of || !target || (target.value !== LIBRARY && !found)) return;
    setBusy(true);
    try {
      const project = found && openProject(found);
      if (from) {
        const { copyWithImages } = await import('../../../data/project/transfer/copy-shared-layout.ts');
        await copyWithImages(of.layout, from, project);
      } else if (project) {
        const { adoptNewlyShown } = await import('../../../data/images/project-images.ts');
        await addToProject(project, of.layout);
        await adoptNewlyShown(project);
      }
      onClose();
      toasts.show(`A copy is in ${project ? target.label : 'your library'}.`, { type: 'success' });
      if (project) await navigate(`/layouts/${project.id}`);
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  const title = from
    ? `Copy ${isolated(of?.layout.name ?? '')}`
    : `Use ${isolated(of?.layout.name ?? '')} in a project`;
  return (
    <Popup open={of !== undefined} onClose={onClose} title={title}>
      {error && <Problem title={describeError(error)} />}
      {data && choices.length === 0 ? (
        <p>There is no project whose layouts you may change. Make one first.</p>
      ) : (
        <NativeSelect
          label="Where to"
          description={
            from
              ? 'The copy is on its own: what you change here stays here.'
              : 'The project gets a copy. What you change in your library later, you can take over there.'
          }
          value={target?.value ?? LIBRARY}
          data={choices}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={!target} onClick={() => void copy()}>
          Copy
        </Button>
      </PopupActions>
    </Popup>
  );
}
