import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { layoutDifferences } from '../../../../../core/scene/changes/diff.ts';
import { mergeLayouts } from '../../../../../core/scene/changes/merge.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { isolated } from '../../../../../core/text/names.ts';
import type { LayoutDocument } from '../../../../../data/documents/documents.ts';
import { setFollowed } from '../../../../../data/layouts/layouts.ts';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import { useLayoutSource } from '../../../project/project-gate.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import css from './dialogs.module.css';
import { BeforeAndAfter, Differences, takeOver } from './version-dialog.tsx';

/** Changes of the followed layout since they were last merged here. */
export function FollowDialog({
  layout,
  follows,
  parent,
  model,
  cells,
  onClose,
}: {
  layout: string;
  follows: NonNullable<LayoutDocument['follows']>;
  parent: Layout;
  model: EditorModel;
  cells: Readonly<Record<string, string>>;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const { document: scene } = model.state;
  const differences = useMemo(() => layoutDifferences(follows.scene, parent), [follows, parent]);
  const source = useLayoutSource();
  // Local changes win, and the layout keeps its own name.
  const merged = useMemo(
    () => ({ ...mergeLayouts(follows.scene, scene, parent, 'mine'), name: scene.name }),
    [follows, scene, parent],
  );
  const remember = async (next: LayoutDocument['follows'], done: () => void) => {
    setBusy(true);
    try {
      await setFollowed(source.layout(layout), next);
      done();
      onClose();
    } catch (reason) {
      tellFailure(reason);
      setBusy(false);
    }
  };
  return (
    <Popup open onClose={onClose} title={`Follows ${isolated(parent.name)}`} width={720}>
      <p className={css.hint}>
        What you changed here stays. Everything else can be as it is in <bdi>{parent.name}</bdi> again.
      </p>
      <Differences list={differences} none={`${isolated(parent.name)} has not changed since.`} />
      {differences.length > 0 && (
        <BeforeAndAfter before={scene} after={merged} cells={cells} labels={['Now', 'With the changes']} />
      )}
      <PopupActions>
        <Button
          variant="subtle"
          color="gray"
          disabled={busy}
          onClick={() => void remember(null, () => undefined)}
        >
          Follow no longer
        </Button>
        <Button
          loading={busy}
          disabled={differences.length === 0}
          onClick={() => void remember({ ...follows, scene: parent }, () => takeOver(model, merged))}
        >
          Take the changes over
        </Button>
      </PopupActions>
    </Popup>
  );
}
