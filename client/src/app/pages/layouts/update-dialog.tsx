import { Button, Checkbox } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { layoutDifferences } from '../../../core/scene/changes/diff.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { isolated } from '../../../core/text/names.ts';
import { adoptNewlyShown } from '../../../data/images/project-images.ts';
import { type LayoutCopy, updateCopy, withChanges } from '../../../data/layouts/layout-copies.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { BeforeAndAfter, Differences } from '../editor/panels/layout/version-dialog.tsx';
import css from './layouts.module.css';
import type { Outdated, Shelved } from './shelf.ts';

const nameOf = ({ title, layout }: LayoutCopy): string => `${isolated(layout.name)} of ${title}`;
const keyOf = ({ project, layout }: LayoutCopy): string => `${project.id} ${layout.id}`;

/** A copy in a project: what it lacks, and how it looks with it. */
function Copy({
  copy,
  original,
  checked,
  onCheck,
}: {
  copy: LayoutCopy;
  original: Layout;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}) {
  const { scene, follows } = copy.layout;
  const merged = useMemo(() => withChanges(copy.layout, original), [copy, original]);
  const differences = useMemo(
    () => (follows ? layoutDifferences(follows.scene, original) : []),
    [follows, original],
  );
  const cells = useMemo(() => sampleCells(scene), [scene]);
  return (
    <li>
      <Checkbox
        label={nameOf(copy)}
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      <Differences list={differences} none="It has all changes." />
      <BeforeAndAfter before={scene} after={merged} cells={cells} labels={['Now', 'With the changes']} />
    </li>
  );
}

/** Takes changes of a layout of the library over in the projects that have copies of it: in those that one leaves chosen. */
export function UpdateDialog({ of, onClose }: { of: (Shelved & Outdated) | undefined; onClose: () => void }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  // The dialog stays as it was opened: copies that are done stay in it until all are.
  const [shown, setShown] = useState(of);
  useEffect(() => {
    if (!of) return;
    setShown(of);
    setLeft(new Set());
  }, [of]);
  const copies = shown?.outdated ?? [];
  const chosen = copies.filter((copy) => !left.has(keyOf(copy)));
  const projects = new Set(chosen.map(({ project }) => project.id)).size;
  const update = async () => {
    if (!shown) return;
    setBusy(true);
    const failed: string[] = [];
    for (const copy of chosen) {
      try {
        await updateCopy(copy, shown.layout.scene);
        await adoptNewlyShown(copy.project);
      } catch (reason) {
        failed.push(`${nameOf(copy)}: ${describeError(reason)}`);
      }
    }
    setBusy(false);
    onClose();
    if (failed.length > 0) toasts.show(failed.join(' '), { type: 'error', autoCloseTime: 10_000 });
    else toasts.show(`Updated in ${counted(projects)}.`, { type: 'success' });
  };
  return (
    <Popup
      open={of !== undefined}
      onClose={onClose}
      title={`Update copies of ${isolated(shown?.layout.name ?? '')}`}
      width={720}
    >
      <p>What was changed in a project stays. Each copy is kept as a version before it changes.</p>
      <ul className={css.copies} aria-label="Copies in projects">
        {shown &&
          copies.map((copy) => (
            <Copy
              key={keyOf(copy)}
              copy={copy}
              original={shown.layout.scene}
              checked={!left.has(keyOf(copy))}
              onCheck={(checked) => {
                const next = new Set(left);
                if (checked) next.delete(keyOf(copy));
                else next.add(keyOf(copy));
                setLeft(next);
              }}
            />
          ))}
      </ul>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Not now
        </Button>
        <Button loading={busy} disabled={chosen.length === 0} onClick={() => void update()}>
          Update in {counted(projects)}
        </Button>
      </PopupActions>
    </Popup>
  );
}

/** A number of projects, in words. */
export const counted = (projects: number): string => (projects === 1 ? '1 project' : `${projects} projects`);
