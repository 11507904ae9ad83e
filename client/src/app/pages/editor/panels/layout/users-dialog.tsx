import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { type LayoutUser, layoutUsers } from '../../../../../data/layouts/layouts.ts';
import { editorAddress } from '../../../../../data/project/layout-address.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import { copyLayout } from '../../../../../data/project/project-contents.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import { Loading, Problem } from '../../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import { useAccess, useLayoutSource } from '../../../project/project-gate.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import type { Holding } from '../../state/saving/use-holding.ts';
import css from './dialogs.module.css';
import { BeforeAndAfter, takeOver } from './version-dialog.tsx';

/** The components of a project that show its layout, none of the library's; undefined while they are looked for, and until they are wanted. */
export function useLayoutUsers(
  project: Project | undefined,
  layout: string,
  wanted: boolean,
): { users: readonly LayoutUser[] | undefined; error: unknown } {
  const [users, setUsers] = useState<readonly LayoutUser[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!wanted) return;
    let stale = false;
    const looking = project ? layoutUsers(project, layout) : Promise.resolve([]);
    looking.then(
      (found) => {
        if (!stale) setUsers(found);
      },
      (reason: unknown) => {
        if (!stale) setError(reason);
      },
    );
    return () => {
      stale = true;
    };
  }, [project, layout, wanted]);
  return { users, error };
}

/** Components that change with the layout: a card of each before this visit and now, and a way to change none. */
export function UsersDialog({
  users,
  error,
  before,
  model,
  holding,
  onClose,
}: {
  users: readonly LayoutUser[] | undefined;
  error: unknown;
  /** The layout as it was when the editor was opened; as it is stored while changes are held back. */
  before: Layout;
  model: EditorModel;
  holding: Holding;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const access = useAccess();
  const source = useLayoutSource();
  const [busy, setBusy] = useState(false);
  const scene = model.state.document;
  const changed = scene !== before;
  const split = async () => {
    setBusy(true);
    try {
      const copy = await copyLayout(scene, access?.project);
      if (holding.on) holding.drop();
      else takeOver(model, before);
      onClose();
      await navigate(`${editorAddress(source.segment(copy))}/true`);
    } catch (reason) {
      tellFailure(reason);
      setBusy(false);
    }
  };
  return (
    <Popup open onClose={onClose} title="Where it is used" width={720}>
      {error !== undefined && <Problem title={describeError(error)} />}
      {!users && error === undefined && <Loading label="Looking through the project" />}
      {users?.length === 0 && (
        <p className={css.hint}>
          {access
            ? 'No component of the project uses this layout.'
            : 'This layout is in your library. Projects use copies of it.'}
        </p>
      )}
      <ul className={css.users} aria-label="Components that use it">
        {users?.map(({ component, back, cells }) => (
          <li key={component.id}>
            <h3>
              {component.name}
              <small>
                {component.cardCount} {component.cardCount === 1 ? 'card' : 'cards'}
                {back && ', on their backs'}
              </small>
            </h3>
            <BeforeAndAfter
              before={before}
              after={scene}
              cells={cells}
              labels={[holding.on ? 'For everybody now' : 'When you came', holding.on ? 'Held back' : 'Now']}
            />
          </li>
        ))}
      </ul>
      <PopupActions>
        {changed && (
          <Button variant="default" loading={busy} onClick={() => void split()}>
            Put my changes into a copy instead
          </Button>
        )}
        {holding.on ? (
          <>
            <Button
              variant="default"
              onClick={() => {
                holding.drop();
                onClose();
              }}
            >
              Drop them
            </Button>
            <Button
              onClick={() => {
                holding.save();
                onClose();
              }}
            >
              Save for all
            </Button>
          </>
        ) : (
          <>
            {changed && (
              <Button
                variant="default"
                onClick={() => {
                  holding.hold();
                  onClose();
                }}
              >
                Hold what I change next
              </Button>
            )}
            <Button onClick={onClose}>{changed ? 'Keep my changes' : 'Close'}</Button>
          </>
        )}
      </PopupActions>
    </Popup>
  );
}
