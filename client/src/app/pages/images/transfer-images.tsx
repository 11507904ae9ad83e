import { projectOfPlace } from '../../../data/images/library-location.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import type { NamedThings } from '../../transfers/carry-out.ts';
import { TransferButtons } from '../../transfers/transfer-buttons.tsx';
import type { Transfers } from '../../transfers/use-transfers.tsx';

/** Images of one place as things to copy or move. Those of the stock are nobody's to move. */
export function thingsOfImages(images: readonly StoredImage[], mayEdit: boolean): NamedThings | undefined {
  const place = images[0]?.place;
  if (place === undefined || place === 'stock') return undefined;
  const project = projectOfPlace(place);
  return {
    kind: 'images',
    from: project === undefined ? {} : { project },
    ids: images.map(({ id }) => id),
    names: new Map(images.map(({ id, path }) => [id, path])),
    mayMove: mayEdit,
  };
}

/** Copies and moves images: of the library into a project, of a project into the library or another project. */
export function TransferImages({
  images,
  mayEdit,
  transfers,
}: {
  images: readonly StoredImage[];
  mayEdit: boolean;
  transfers: Transfers;
}) {
  const things = thingsOfImages(images, mayEdit);
  if (!things) return null;
  const copyLabel = things.from.project === undefined ? 'Use in a project…' : 'Copy to…';
  return <TransferButtons things={things} transfers={transfers} copyLabel={copyLabel} />;
}
