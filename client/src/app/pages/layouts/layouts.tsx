import { Button, TextInput } from '@mantine/core';
import {
  Copy,
  Ellipsis,
  GitBranch,
  LayoutTemplate,
  Link2,
  Link2Off,
  PenTool,
  Plus,
  Search,
  Tag,
  Trash2,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Layout } from '../../../core/scene/layout.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import type { LayoutDocument, WithId } from '../../../data/documents.ts';
import { closeLink, openByLink } from '../../../data/images/layout-images.ts';
import { createFollower, deleteLayout, tagLayout } from '../../../data/layouts.ts';
import { describeError } from '../../../data/messages.ts';
import { openLibrary } from '../../../data/project/open-project.ts';
import { createLayout } from '../../../data/project-contents.ts';
import { readTags } from '../../../data/projects.ts';
import { useLayouts } from '../../../data/queries.ts';
import { sessionUser } from '../../../data/session.ts';
import { isOn, useSite } from '../../../data/site.ts';
import { withPalette } from '../../../data/user-object/palettes.ts';
import { activeTags, toggledTag } from '../../../data/user-object/tags.ts';
import { saveUserObject, useUserObject } from '../../../data/user-object/use-user-object.ts';
import { Menu } from '../../../ui/menu.tsx';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { find, tagsOf } from '../projects/project-list.ts';
import type { ImportedLayout } from './import/dextrous.ts';
import { LayoutThumbnail, sizeOf } from './layout-thumbnail.tsx';
import css from './layouts.module.css';
import { NewLayoutDialog } from './new-layout-dialog.tsx';
import { TagsDialog } from './tags-dialog.tsx';

/** As many layouts are found at a glance. */
const FEW = 6;
/** Most things told of an imported file; the rest is counted. */
const MAX_NOTES = 4;

/** Shares a layout and puts its link on the clipboard. */
async function share(layout: WithId<LayoutDocument>): Promise<void> {
  const link = `${location.origin}/layouts/shared/${sessionUser()?.uid}/${layout.id}`;
  try {
    await openByLink(layout.id, layout.scene);
    const copied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    toasts.show(copied ? 'Shared. The link is on the clipboard.' : `Shared: ${link}`, {
      type: 'success',
      autoCloseTime: copied ? 4_000 : 0,
    });
  } catch (reason) {
    toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
  }
}

async function unshare(layout: WithId<LayoutDocument>): Promise<void> {
  try {
    await closeLink(layout.id);
    toasts.show('No longer shared: the link leads nowhere.', { type: 'success' });
  } catch (reason) {
    toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
  }
}

async function duplicate({ scene }: WithId<LayoutDocument>): Promise<void> {
  try {
    await createLayout({ ...scene, name: `${scene.name} copy` });
  } catch (reason) {
    toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
  }
}

async function follow(layout: WithId<LayoutDocument>): Promise<void> {
  try {
    await createFollower(layout);
    toasts.show('Made a variant. Open it to take over later changes.', { type: 'success' });
  } catch (reason) {
    toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
  }
}

function LayoutTile({
  layout,
  onDelete,
  onTags,
}: {
  layout: WithId<LayoutDocument>;
  onDelete: () => void;
  onTags: () => void;
}) {
  const sharing = isOn(useSite(true), 'sharing');
  const to = `/layouts/edit/${layout.id}/true`;
  return (
    <li className={css.tile}>
      <Link to={to} className={css.picture ?? ''} aria-label={`Edit ${layout.name}`}>
        <LayoutThumbnail layout={layout.scene} />
      </Link>
      <div className={css.caption}>
        <div>
          <Link to={to}>{layout.name}</Link>
          <span>
            {sizeOf(layout.scene)}
            {layout.shared && ', shared'}
            {layout.follows && ', follows another'}
          </span>
          {layout.tags.length > 0 && <span className={css.tags}>{layout.tags.join(', ')}</span>}
        </div>
        <Menu
          label={`More for ${layout.name}`}
          className={css.more}
          width={200}
          items={[
            { label: 'Edit', icon: <PenTool size={15} />, to },
            { label: 'Duplicate', icon: <Copy size={15} />, onSelect: () => void duplicate(layout) },
            {
              label: 'Variant that follows it',
              icon: <GitBranch size={15} />,
              onSelect: () => void follow(layout),
            },
            { label: 'Tags', icon: <Tag size={15} />, onSelect: onTags },
            ...(sharing
              ? [
                  {
                    label: layout.shared ? 'Copy link' : 'Share by link',
                    icon: <Link2 size={15} />,
                    onSelect: () => void share(layout),
                  },
                ]
              : []),
            ...(layout.shared
              ? [
                  {
                    label: 'Stop sharing',
                    icon: <Link2Off size={15} />,
                    onSelect: () => void unshare(layout),
                  },
                ]
              : []),
            { label: 'Delete', icon: <Trash2 size={15} />, danger: true, onSelect: onDelete },
          ]}
        >
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </div>
    </li>
  );
}

/** Parts for a damaged layout that has lost its own. */
const LIKE = { name: 'Unnamed', version: 1, scene: newLayout('Unnamed') };

/** `/layouts/` */
export function Component() {
  const navigate = useNavigate();
  const { data, error } = useLayouts();
  const [busy, setBusy] = useState(false);
  const [starting, setStarting] = useState(false);
  const [deleting, setDeleting] = useState<WithId<LayoutDocument>>();
  const [tagging, setTagging] = useState<WithId<LayoutDocument>>();
  const [text, setText] = useState('');
  const { userObject, save } = useUserObject();
  const chosen = useMemo(() => activeTags(userObject), [userObject]);
  const layouts = data?.items;
  const tags = useMemo(() => tagsOf(layouts ?? []), [layouts]);
  const shown = useMemo(
    () =>
      find(
        (layouts ?? []).map((layout) => ({ ...layout, description: sizeOf(layout.scene) })),
        text,
        chosen.filter((tag) => tags.includes(tag)),
      ),
    [layouts, text, chosen, tags],
  );

  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (reason) {
      toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
    } finally {
      setBusy(false);
    }
  };
  const start = (layout: Layout, file?: Omit<ImportedLayout, 'layout'>) =>
    void run(async () => {
      const id = await createLayout(layout);
      const tags = readTags(file?.tags.join() ?? '');
      if (tags.length > 0) await tagLayout(openLibrary().layout(id), tags);
      const notes = [...(file?.notes ?? [])];
      if (file && file.colours.length > 0) {
        const kept = await saveUserObject((stored) => withPalette(stored, layout.name, file.colours));
        if (!kept) notes.unshift('Its colours could not be kept as a palette.');
      }
      setStarting(false);
      if (notes.length > 0) {
        const more = notes.length - MAX_NOTES;
        const text = notes.slice(0, MAX_NOTES).join(' ');
        toasts.show(more > 0 ? `${text} And ${more} more.` : text, { type: 'warning', autoCloseTime: 0 });
      }
      await navigate(`/layouts/edit/${id}/true`);
    });
  const fromTemplate = (
    <Button
      variant="default"
      leftSection={<LayoutTemplate size={17} aria-hidden />}
      onClick={() => setStarting(true)}
    >
      From a template
    </Button>
  );
  const create = (
    <Button
      loading={busy && !deleting}
      data-tutorial="new-layout"
      leftSection={<Plus size={17} aria-hidden />}
      onClick={() => start(newLayout('New layout'))}
    >
      New layout
    </Button>
  );
  return (
    <Page
      title="Layouts"
      lead="A layout says how cards look. Several decks can share one; change it and all of them follow."
      actions={
        layouts &&
        layouts.length > 0 && (
          <>
            {fromTemplate}
            {create}
          </>
        )
      }
    >
      {error && <Problem title={describeError(error)} />}
      <UnreadableNotices list={data?.unreadable} like={LIKE} />
      {!layouts && !error && (
        <div className={css.grid}>
          <Loading label="Loading layouts" />
          {[0, 1, 2, 3].map((i) => (
            <Placeholder key={i} height={260} radius={12} />
          ))}
        </div>
      )}
      {layouts?.length === 0 && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="No layouts yet"
          action={
            <span className={css.actions}>
              {create}
              {fromTemplate}
            </span>
          }
        >
          Draw one here, or import a card list into a project and let it be started from the columns.
        </EmptyState>
      )}
      {layouts && (layouts.length > FEW || tags.length > 0) && (
        <search className={css.find} aria-label="Find layouts">
          <TextInput
            aria-label="Search layouts"
            placeholder="Search names, tags and sizes"
            leftSection={<Search size={16} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {tags.length > 0 && (
            <fieldset className={css.chips} aria-label="Tags">
              {tags.map((tag) => (
                <button
                  key={tag}
                  type="button"
                  aria-pressed={chosen.includes(tag)}
                  onClick={() => void save((stored) => toggledTag(stored, tag))}
                >
                  {tag}
                </button>
              ))}
            </fieldset>
          )}
        </search>
      )}
      {layouts && layouts.length > 0 && shown.length === 0 && (
        <div className={css.none} role="status">
          <p>No layout matches.</p>
          <Button
            variant="default"
            onClick={() => {
              setText('');
              void save({ activeTags: [] });
            }}
          >
            Show all of them
          </Button>
        </div>
      )}
      {shown.length > 0 && (
        <ul className={css.grid} aria-label="Layouts">
          {shown.map((layout) => (
            <LayoutTile
              key={layout.id}
              layout={layout}
              onDelete={() => setDeleting(layout)}
              onTags={() => setTagging(layout)}
            />
          ))}
        </ul>
      )}
      <TagsDialog layout={tagging} onClose={() => setTagging(undefined)} />
      <NewLayoutDialog open={starting} onClose={() => setStarting(false)} onPick={start} />
      <Popup open={deleting !== undefined} onClose={() => setDeleting(undefined)} title="Delete this layout?">
        <p>
          Components that use <strong>{deleting?.name}</strong> keep their cards but lose their look until you
          choose another layout. This cannot be undone.
        </p>
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={() => setDeleting(undefined)}>
            Keep it
          </Button>
          <Button
            color={DANGER}
            loading={busy}
            onClick={() =>
              void run(async () => {
                if (deleting) await deleteLayout(openLibrary().layout(deleting.id));
                setDeleting(undefined);
              })
            }
          >
            Delete layout
          </Button>
        </PopupActions>
      </Popup>
    </Page>
  );
}
