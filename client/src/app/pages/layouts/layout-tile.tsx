import {
  Copy,
  CopyPlus,
  Ellipsis,
  FolderInput,
  FolderOutput,
  GitBranch,
  Link2,
  Link2Off,
  PenTool,
  RefreshCw,
  Tag,
  Trash2,
} from 'lucide-react';
import { Link } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { sessionUser } from '../../../data/account/session.ts';
import { createFollower, shareByLink } from '../../../data/layouts/layouts.ts';
import { copyLayout } from '../../../data/project/project-contents.ts';
import { runsInBrowser } from '../../../data/server/database.ts';
import { isOn, useSite } from '../../../data/site/site.ts';
import { Menu, type MenuItem } from '../../../ui/menu/menu.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { beginDrag } from '../../transfers/drag.ts';
import type { Choosing } from './choosing.tsx';
import { LayoutThumbnail, sizeOf } from './layout-thumbnail.tsx';
import css from './layouts.module.css';
import { ProjectThumbnail } from './project-thumbnail.tsx';
import { editorOf, type Outdated, type Shelved } from './shelf.ts';
import { counted } from './update-dialog.tsx';

/** Does something that may fail, and tells of it. */
const tried = (work: () => Promise<unknown>): void => {
  work().catch((reason: unknown) => {
    tellFailure(reason);
  });
};

/** Shares a layout and puts its link on the clipboard. */
async function share({ shelf: { source }, layout }: Shelved): Promise<void> {
  const segment = encodeURIComponent(source.segment(layout.id));
  const link = `${location.origin}/layouts/shared/${sessionUser()?.uid}/${segment}`;
  await shareByLink(source.layout(layout.id), true);
  const copied = await navigator.clipboard.writeText(link).then(
    () => true,
    () => false,
  );
  toasts.show(copied ? 'Shared. The link is on the clipboard.' : `Shared: ${link}`, {
    type: 'success',
    autoCloseTime: copied ? 4_000 : 0,
  });
}

async function unshare({ shelf: { source }, layout }: Shelved): Promise<void> {
  await shareByLink(source.layout(layout.id), false);
  toasts.show('No longer shared: the link leads nowhere.', { type: 'success' });
}

async function follow({ shelf: { source }, layout }: Shelved): Promise<void> {
  await createFollower(source, layout);
  toasts.show('Made a variant. Open it to take over later changes.', { type: 'success' });
}

/** A question about a layout that a dialog asks. */
export type Question = 'delete' | 'tags' | 'copy' | 'move' | 'update';

const projectsOf = (copies: NonNullable<Outdated['outdated']>): string =>
  counted(new Set(copies.map(({ project }) => project.id)).size);

function itemsOf(
  shelved: Shelved & Outdated,
  to: string,
  sharing: boolean,
  onAsk: (question: Question, of: Shelved & Outdated) => void,
): MenuItem[] {
  const { shelf, layout, outdated = [] } = shelved;
  const copy: MenuItem = {
    label: shelf.project ? 'Copy to…' : 'Use in a project…',
    icon: shelf.project ? <FolderInput size={15} /> : <CopyPlus size={15} />,
    onSelect: () => onAsk('copy', shelved),
  };
  const move: MenuItem = {
    label: 'Move to…',
    icon: <FolderOutput size={15} />,
    onSelect: () => onAsk('move', shelved),
  };
  const transfers = !shelf.project?.inBrowser;
  if (!shelf.mayEdit) return transfers ? [copy] : [];
  return [
    { label: 'Edit', icon: <PenTool size={15} />, to },
    ...(transfers ? [copy, move] : []),
    ...(outdated.length > 0
      ? [
          {
            label: `Update in ${projectsOf(outdated)}…`,
            icon: <RefreshCw size={15} />,
            onSelect: () => onAsk('update', shelved),
          },
        ]
      : []),
    {
      label: 'Duplicate',
      icon: <Copy size={15} />,
      onSelect: () => tried(() => copyLayout(layout.scene, shelf.project)),
    },
    {
      label: 'Variant that follows it',
      icon: <GitBranch size={15} />,
      onSelect: () => tried(() => follow(shelved)),
    },
    { label: 'Tags', icon: <Tag size={15} />, onSelect: () => onAsk('tags', shelved) },
    ...(sharing
      ? [
          {
            label: layout.shared ? 'Copy link' : 'Share by link',
            icon: <Link2 size={15} />,
            onSelect: () => tried(() => share(shelved)),
          },
        ]
      : []),
    ...(layout.shared
      ? [
          {
            label: 'Stop sharing',
            icon: <Link2Off size={15} />,
            onSelect: () => tried(() => unshare(shelved)),
          },
        ]
      : []),
    {
      label: 'Delete',
      icon: <Trash2 size={15} />,
      danger: true,
      onSelect: () => onAsk('delete', shelved),
    },
  ];
}

/** A layout with its menu. It can be chosen, and dragged to another place. */
export function LayoutTile({
  inList,
  onAsk,
  choosing,
  ...shelved
}: Shelved &
  Outdated & {
    /** On the page of all layouts. */
    inList: boolean;
    onAsk: (question: Question, of: Shelved & Outdated) => void;
    choosing: Choosing;
  }) {
  const sharing = isOn(useSite(true), 'sharing') && !runsInBrowser();
  const { shelf, layout, outdated = [] } = shelved;
  const to = editorOf(shelf.source, layout.id, inList);
  const picture =
    inList && shelf.project ? (
      <ProjectThumbnail project={shelf.project} layout={layout} />
    ) : (
      <LayoutThumbnail layout={layout.scene} />
    );
  const chosen = choosing.has(shelved);
  return (
    <li
      className={css.tile}
      data-chosen={chosen || undefined}
      data-choosing={choosing.any || undefined}
      draggable={!shelf.project?.inBrowser}
      onDragStart={(event) => beginDrag(event, choosing.dragged(shelved), event.currentTarget)}
    >
      {!shelf.project?.inBrowser && (
        <input
          type="checkbox"
          className={css.mark}
          aria-label={`Choose ${isolated(layout.name)}`}
          checked={chosen}
          onChange={() => choosing.toggle(shelved)}
        />
      )}
      {shelf.mayEdit ? (
        <Link to={to} className={css.picture ?? ''} aria-label={`Edit ${isolated(layout.name)}`}>
          {picture}
        </Link>
      ) : (
        <div className={css.picture}>{picture}</div>
      )}
      <div className={css.caption}>
        <div>
          {shelf.mayEdit ? <Link to={to}>{layout.name}</Link> : <strong>{layout.name}</strong>}
          <span>
            {sizeOf(layout.scene)}
            {layout.shared && ', shared by link'}
            {layout.follows && ', follows another'}
            {outdated.length > 0 && `, newer than in ${projectsOf(outdated)}`}
          </span>
          {layout.tags.length > 0 && <span className={css.tags}>{layout.tags.join(', ')}</span>}
        </div>
        <Menu
          label={`More for ${isolated(layout.name)}`}
          width={200}
          items={itemsOf(shelved, to, sharing, onAsk)}
        >
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </div>
    </li>
  );
}
