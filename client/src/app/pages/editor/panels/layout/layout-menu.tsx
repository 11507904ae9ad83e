import { Ellipsis, GitBranch, Hand, History, Layers } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { layoutDifferences } from '../../../../../core/scene/changes/diff.ts';
import { sameDocument } from '../../../../../core/scene/changes/same-document.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { isolated } from '../../../../../core/text/names.ts';
import type { LayoutDocument, WithId } from '../../../../../data/documents/documents.ts';
import { followedLayout } from '../../../../../data/project/open-project.ts';
import { useLayout } from '../../../../../data/project/queries.ts';
import { Menu } from '../../../../../ui/menu/menu.tsx';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import { useAccess, useLayoutSource } from '../../../project/project-gate.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import type { Holding } from '../../state/saving/use-holding.ts';
import css from '../panels.module.css';
import { FollowDialog } from './follow-dialog.tsx';
import { UsersDialog, useLayoutUsers } from './users-dialog.tsx';
import { VersionDialog } from './version-dialog.tsx';

/** Menu of the layout as a whole: its versions, its users, the layout it follows. */
export function LayoutMenu({
  stored,
  before,
  model,
  cells,
  holding,
}: {
  stored: WithId<LayoutDocument>;
  /** The layout as it was when the editor was opened; as it is stored while changes are held back. */
  before: Layout;
  model: EditorModel;
  cells: Readonly<Record<string, string>>;
  holding: Holding;
}) {
  const [open, setOpen] = useState<'versions' | 'users' | 'follows'>();
  const { follows } = stored;
  // A layout that follows none looks at itself, which it has already.
  const source = useLayoutSource();
  const parent = useLayout(follows ? followedLayout(source, follows) : source.layout(stored.id)).data;
  const followed = follows && parent ? parent.scene : undefined;
  const news = follows && followed ? layoutDifferences(follows.scene, followed).length : 0;
  const changed = useStore(
    model.store,
    ({ document }) => document !== before && !sameDocument(document, before),
  );
  const [asked, setAsked] = useState(false);
  // Looked for once: components and cards have to be read.
  const { users, error } = useLayoutUsers(useAccess()?.project, stored.id, changed || asked);
  const close = () => setOpen(undefined);
  const count = users?.length ?? 0;
  return (
    <>
      {news > 0 && (
        <button type="button" className={css.notice} onClick={() => setOpen('follows')}>
          <GitBranch size={15} aria-hidden /> {news} {news === 1 ? 'change' : 'changes'}
          <span> to take over</span>
        </button>
      )}
      {holding.on && changed && (
        <button type="button" className={css.notice} onClick={() => setOpen('users')}>
          <Hand size={15} aria-hidden /> Save for {count} {count === 1 ? 'component' : 'components'}…
        </button>
      )}
      {!holding.on && count > 1 && changed && news === 0 && (
        <button type="button" className={css.notice} onClick={() => setOpen('users')}>
          <Layers size={15} aria-hidden /> Changes {count} components
        </button>
      )}
      <Menu
        label="More for this layout"
        className={bar.tool ?? ''}
        width={220}
        items={[
          { label: 'Versions', icon: <History size={15} />, onSelect: () => setOpen('versions') },
          {
            label: users ? `Where it is used (${count})` : 'Where it is used',
            icon: <Layers size={15} />,
            onSelect: () => {
              setAsked(true);
              setOpen('users');
            },
          },
          holding.on
            ? {
                label: changed ? 'Save what is held back…' : 'Save by itself again',
                icon: <Hand size={15} />,
                onSelect: () => {
                  setAsked(true);
                  if (changed) setOpen('users');
                  else holding.save();
                },
              }
            : { label: 'Hold my changes back', icon: <Hand size={15} />, onSelect: holding.hold },
          ...(followed
            ? [
                {
                  label: `Follows ${isolated(followed.name)}`,
                  icon: <GitBranch size={15} />,
                  onSelect: () => setOpen('follows'),
                },
              ]
            : []),
        ]}
      >
        <Ellipsis size={17} aria-hidden />
      </Menu>
      {open === 'versions' && (
        <VersionDialog layout={source.layout(stored.id)} model={model} cells={cells} onClose={close} />
      )}
      {open === 'users' && (
        <UsersDialog
          users={users}
          error={error}
          before={before}
          model={model}
          holding={holding}
          onClose={close}
        />
      )}
      {open === 'follows' && follows && followed && (
        <FollowDialog
          layout={stored.id}
          follows={follows}
          parent={followed}
          model={model}
          cells={cells}
          onClose={close}
        />
      )}
    </>
  );
}
