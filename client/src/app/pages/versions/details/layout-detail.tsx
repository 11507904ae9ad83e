import { useMemo } from 'react';
import type { LayoutDifference } from '../../../../core/versions/layouts.ts';
import { withImages } from '../../../../core/versions/pictures.ts';
import { sampleCells } from '../../../../data/layouts/sample-row.ts';
import { BeforeAndAfter, Differences } from '../../editor/panels/layout/version-dialog.tsx';
import { LayoutThumbnail } from '../../layouts/layout-thumbnail.tsx';
import css from '../comparison.module.css';
import { useComparison } from '../comparison-context.ts';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { FieldRows } from './field-rows.tsx';
import { useImagesOfStates } from './use-images-of-states.ts';

const ONE_PX = 300;

const KINDS: Readonly<Record<LayoutDifference['change'], string>> = {
  added: 'New layout',
  removed: 'Layout that is gone',
  changed: 'Changed layout',
};

/** A layout in both states beside each other, and what differs zone by zone. */
export function LayoutDetail({ layout }: { layout: LayoutDifference }) {
  const { path, name, change, zones, fields } = layout;
  const { labels } = useComparison();
  const images = useImagesOfStates();
  const [before, after] = useMemo(
    () => [
      layout.before && withImages(layout.before, images.before),
      layout.after && withImages(layout.after, images.after),
    ],
    [layout, images],
  );
  const one = after ?? before;
  const cells = useMemo(() => one && sampleCells(one), [one]);
  const unreadable = (change !== 'added' && !before) || (change !== 'removed' && !after);
  return (
    <DetailFrame title={name} kind={KINDS[change]} restore={<RestorePaths paths={[path]} of={name} />}>
      {before && after && <BeforeAndAfter before={before} after={after} cells={cells} labels={labels} />}
      {one && !(before && after) && (
        <div className={css.pictures}>
          <figure>
            <LayoutThumbnail layout={one} size={ONE_PX} />
            <figcaption>{labels[after ? 1 : 0]}</figcaption>
          </figure>
        </div>
      )}
      {unreadable && <p className={css.hint}>One of its states cannot be read here.</p>}
      {zones.length > 0 && <Differences list={zones} none="" />}
      <FieldRows fields={fields.filter(({ field }) => field !== 'follows')} />
      {fields.some(({ field }) => field === 'follows') && (
        <p className={css.hint}>It took over changes of the layout that it follows, or follows another.</p>
      )}
    </DetailFrame>
  );
}
