import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Copy, Link2Off } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import { readLayoutImages, showShared } from '../../../data/images/layout-images.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import { type LayoutName, readLayoutSegment } from '../../../data/project/layout-address.ts';
import { openLibrary } from '../../../data/project/open-project.ts';
import { useSharedDocument } from '../../../data/project/queries.ts';
import { copySharedLayout } from '../../../data/project/transfer/copy-shared-layout.ts';
import { whereIsLayout } from '../../../data/project/where-is.ts';
import { describeError, isRefusal } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import css from './layouts.module.css';
import { editorOf } from './shelf.ts';

const THUMBNAIL_PX = 320;
/** Most names in one message. */
const MAX_TOLD = 5;
const NO_COLUMNS: readonly never[] = [];
const NO_CELLS: Readonly<Record<string, string>> = {};

/**
 * A layout that somebody shares: of a project, or of the library of who shares it. Links of earlier versions name none of
 * a project, though it may lie in one now.
 */
function useSharedLayout(sharingUser: string, segment: string) {
  const { uid } = useUser();
  const name = readLayoutSegment(segment);
  const direct = useSharedDocument(sharingUser, name);
  const missing = direct.data === null || isRefusal(direct.error);
  const asked = missing && name.project === undefined;
  const { data: moved, isPending } = useQuery({
    queryKey: ['where is shared layout', uid, sharingUser, name.id],
    queryFn: () => whereIsLayout({ id: name.id, owner: sharingUser }),
    enabled: asked,
  });
  const found = useSharedDocument(sharingUser, moved ?? name);
  if (asked && isPending) return { layout: undefined, error: null, name: undefined };
  const { data: layout, error } = moved ? found : direct;
  return { layout, error, name: moved ?? name };
}

/** The images that a shared layout shows now; none until they are known. A save of the layout may name others. */
function useItsImages(owner: string, name: LayoutName | undefined, revision: number | undefined) {
  const { uid } = useUser();
  return useQuery({
    queryKey: ['images of shared layout', uid, owner, name?.project, name?.id, revision],
    queryFn: () => (name ? readLayoutImages(owner, name) : []),
    enabled: name !== undefined && revision !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** `/layouts/shared/{sharingUser}/{id}`: somebody else's layout, to look at and to copy. */
export function Component() {
  const { sharingUser = '', id = '' } = useParams();
  const navigate = useNavigate();
  const { layout, error, name } = useSharedLayout(sharingUser, id);
  const { data: images, error: withoutImages } = useItsImages(sharingUser, name, layout?.revision);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const cells = useMemo(() => (layout ? sampleCells(layout.scene) : NO_CELLS), [layout]);
  useEffect(() => (images ? showShared(images) : undefined), [images]);
  const refused = isRefusal(error);

  const copy = async () => {
    if (!layout || !name) return;
    setBusy(true);
    try {
      const shown = await readLayoutImages(sharingUser, name);
      const { id: copied, gone: lost } = await copySharedLayout(layout.scene, shown, sharingUser, name);
      if (lost.length > 0) {
        toasts.show(`Pictures that are gone and could not be copied: ${lost.slice(0, MAX_TOLD).join(', ')}`, {
          type: 'warning',
          autoCloseTime: 10_000,
        });
      }
      await navigate(editorOf(openLibrary(), copied, true));
    } catch (reason) {
      setFailure(describeError(reason));
      setBusy(false);
    }
  };
  const gone = layout === null || refused;
  return (
    <Page
      title={layout?.name ?? 'Shared layout'}
      lead={gone ? undefined : 'Somebody shares how their cards look. A copy is yours to change.'}
      actions={
        layout && (
          <Button loading={busy} leftSection={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy to my layouts
          </Button>
        )
      }
    >
      {failure && <Problem title={failure} />}
      {error && !refused && <Problem title={describeError(error)} />}
      {layout && withoutImages && (
        <Problem title={`Its images could not be read: ${describeError(withoutImages)}`} />
      )}
      {layout === undefined && !error && (
        <>
          <Loading label="Loading the layout" />
          <Placeholder height={420} radius={16} />
        </>
      )}
      {gone && (
        <EmptyState
          icon={<Link2Off size={26} />}
          title="This layout is not shared"
          action={
            <Button component={Link} to="/layouts">
              To your layouts
            </Button>
          }
        >
          Its owner may have stopped sharing it, or a letter of the link is missing.
        </EmptyState>
      )}
      {layout && (
        <section className={css.shared} aria-label="Preview">
          <PaintedCard
            layout={layout.scene}
            cells={cells}
            columns={NO_COLUMNS}
            width={THUMBNAIL_PX}
            label={`Preview of ${isolated(layout.name)}`}
          />
          <span>
            {layout.scene.size.w} × {layout.scene.size.h} mm
          </span>
        </section>
      )}
    </Page>
  );
}
