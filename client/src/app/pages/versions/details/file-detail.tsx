import { isStoredHere } from '../../../../core/stored-file.ts';
import type { FileDifference } from '../../../../core/versions/files.ts';
import { thumbnailUrl } from '../../../../data/images/schema.ts';
import css from '../comparison.module.css';
import { useComparison } from '../comparison-context.ts';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { FieldRows } from './field-rows.tsx';

/** Longer side of an image, in CSS pixels, on a dense screen. */
const IMAGE_PX = 600;

const CHANGES: Readonly<Record<FileDifference['change'], string>> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
};

/** An image in both states beside each other. */
export function ImageDetail({ image }: { image: FileDifference }) {
  const { path, name, change, content, fields, before, after } = image;
  const { labels } = useComparison();
  const shown = content ? [before, after] : ['', after];
  return (
    <DetailFrame
      title={name}
      kind={`${CHANGES[change]} image`}
      restore={<RestorePaths paths={[path]} of={name} />}
    >
      <div className={css.pictures}>
        {shown.map((url, at) =>
          // Documents name addresses, and people write documents.
          url !== '' && isStoredHere(url) ? (
            <figure key={labels[at]}>
              <img src={thumbnailUrl(url, IMAGE_PX)} alt={`${name}, ${labels[at]}`} />
              <figcaption>{labels[at]}</figcaption>
            </figure>
          ) : null,
        )}
      </div>
      {change === 'changed' && !content && <p className={css.hint}>It shows the same in both.</p>}
      <FieldRows fields={fields} />
    </DetailFrame>
  );
}

export function FontDetail({ font }: { font: FileDifference }) {
  const { path, name, change, content, fields } = font;
  return (
    <DetailFrame
      title={name}
      kind={`${CHANGES[change]} font`}
      restore={<RestorePaths paths={[path]} of={name} />}
    >
      {change === 'changed' && content && <p className={css.hint}>It has another file.</p>}
      <FieldRows fields={fields} />
      {change !== 'changed' && (
        <p className={css.hint}>
          {change === 'added'
            ? 'Layouts may be set in it since.'
            : 'Layouts that are set in it show another font.'}
        </p>
      )}
    </DetailFrame>
  );
}
