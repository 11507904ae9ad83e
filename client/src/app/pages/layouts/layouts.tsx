import { Button, TextInput } from '@mantine/core';
import { LayoutTemplate, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import { outdatedCopies } from '../../../data/layouts/layout-copies.ts';
import { edits, roleOf, sees } from '../../../data/project/members.ts';
import { openLibrary, openProject } from '../../../data/project/open-project.ts';
import { useJoinedProjects, useManyLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { activeTags, toggledTag } from '../../../data/user-object/tags.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { WhoSees } from '../../transfers/who-sees.tsx';
import { find, tagsOf } from '../projects/project-list.ts';
import { useChoosing } from './choosing.tsx';
import { useLayoutDialogs } from './layout-dialogs.tsx';
import { sizeOf } from './layout-thumbnail.tsx';
import { LayoutTile } from './layout-tile.tsx';
import css from './layouts.module.css';
import { useNewLayout } from './new-layout.tsx';
import type { Shelf } from './shelf.ts';

/** As many layouts are found at a glance. */
const FEW = 6;

/** Parts for a damaged layout that has lost its own. */
const LIKE = { name: 'Unnamed', version: 1, scene: newLayout('Unnamed') };

/** The library, then the projects that the user sees, last changed first; `undefined` until they are known. */
function useShelves(): { readonly shelves: readonly Shelf[] | undefined; readonly error: Error | null } {
  const { uid } = useUser();
  const { data, error } = useJoinedProjects();
  const shelves = useMemo<readonly Shelf[] | undefined>(() => {
    if (!data) return undefined;
    const title = 'Your library';
    const library = {
      source: openLibrary(uid),
      project: undefined,
      details: undefined,
      title,
      mayEdit: true,
    };
    const projects = data.items
      .filter((one) => one.trashedAt === 0 && sees(roleOf(one, uid)))
      .map((one) => {
        const project = openProject(one);
        const mayEdit = edits(roleOf(one, uid));
        return { source: project, project, details: one, title: one.name, mayEdit };
      });
    return [library, ...projects];
  }, [data, uid]);
  return { shelves, error };
}

/** Text and tags to find layouts by. */
function Finding({
  text,
  tags,
  chosen,
  onText,
  onTag,
}: {
  text: string;
  tags: readonly string[];
  chosen: readonly string[];
  onText: (text: string) => void;
  onTag: (tag: string) => void;
}) {
  return (
    <search className={css.find} aria-label="Find layouts">
      <TextInput
        aria-label="Search layouts"
        placeholder="Search names, tags and sizes"
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {tags.length > 0 && (
        <fieldset className={css.chips} aria-label="Tags">
          {tags.map((tag) => (
            <button key={tag} type="button" aria-pressed={chosen.includes(tag)} onClick={() => onTag(tag)}>
              {tag}
            </button>
          ))}
        </fieldset>
      )}
    </search>
  );
}

/** `/layouts/` */
export function Component() {
  const { uid } = useUser();
  const { shelves, error: projectsError } = useShelves();
  const lists = useManyLayouts(useMemo(() => shelves?.map(({ source }) => source) ?? [], [shelves]));
  const choosing = useChoosing(
    (shelves ?? []).flatMap((shelf, i) => (lists[i]?.data?.items ?? []).map((layout) => ({ shelf, layout }))),
  );
  const { ask, dialogs } = useLayoutDialogs(choosing.transfers);
  const { buttons, dialog } = useNewLayout(undefined, true);
  const [text, setText] = useState('');
  const { userObject, save } = useUserObject();
  const chosen = useMemo(() => activeTags(userObject), [userObject]);
  const error = projectsError ?? lists.find((list) => list.error)?.error;
  // Nothing is said of what there is before all of it is known.
  const known = shelves !== undefined && lists.every(({ data, error }) => data || error);
  const all = known ? lists.flatMap(({ data }) => data?.items ?? []) : [];
  const tags = tagsOf(all);
  const wanted = chosen.filter((tag) => tags.includes(tag));
  const groups = (known ? shelves : []).map((shelf, i) => {
    const items = (lists[i]?.data?.items ?? []).map((layout) => ({
      ...layout,
      description: `${sizeOf(layout.scene)} ${shelf.title}`,
    }));
    return { shelf, has: items.length > 0, shown: find(items, text, wanted) };
  });
  const copies = (known ? shelves : []).flatMap(({ project, title, mayEdit }, i) =>
    project && mayEdit ? (lists[i]?.data?.items ?? []).map((layout) => ({ project, title, layout })) : [],
  );
  const filled = groups.filter(({ shown }) => shown.length > 0);
  return (
    <Page
      title="Layouts"
      lead="A layout says how cards look. Projects have their own; your library keeps those you use again."
      actions={all.length > 0 && buttons}
    >
      {error && <Problem title={describeError(error)} />}
      {lists.map(({ data }, i) => (
        <UnreadableNotices
          key={shelves?.[i]?.source.layouts.path}
          list={data?.unreadable}
          like={LIKE}
          mayEdit={shelves?.[i]?.mayEdit ?? false}
        />
      ))}
      {!known && !error && (
        <div className={css.grid}>
          <Loading label="Loading layouts" />
          {[0, 1, 2, 3].map((i) => (
            <Placeholder key={i} height={260} radius={12} />
          ))}
        </div>
      )}
      {known && !error && all.length === 0 && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="No layouts yet"
          action={<span className={css.actions}>{buttons}</span>}
        >
          Draw one here, or import a card list into a project and let it be started from the columns.
        </EmptyState>
      )}
      {(all.length > FEW || tags.length > 0) && (
        <Finding
          text={text}
          tags={tags}
          chosen={chosen}
          onText={setText}
          onTag={(tag) => void save((stored) => toggledTag(stored, tag))}
        />
      )}
      {all.length > 0 && filled.length === 0 && (
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
      {filled.map(({ shelf, shown }) => (
        <section key={shelf.source.layouts.path} className={css.shelf}>
          <h2>
            {shelf.project ? <Link to={`/layouts/${shelf.project.id}`}>{shelf.title}</Link> : shelf.title}
          </h2>
          <WhoSees project={shelf.details} />
          <ul
            className={css.grid}
            aria-label={shelf.project ? `Layouts of ${isolated(shelf.title)}` : 'Layouts'}
          >
            {shown.map((layout) => (
              <LayoutTile
                key={layout.id}
                shelf={shelf}
                layout={layout}
                {...(!shelf.project && { outdated: outdatedCopies(uid, layout, copies) })}
                inList
                onAsk={ask}
                choosing={choosing}
              />
            ))}
          </ul>
        </section>
      ))}
      {dialog}
      {dialogs}
      {choosing.windows}
    </Page>
  );
}
