import { CornerLeftUp, Folder, Plus } from 'lucide-react';
import { Problem } from '../../ui/page/page.tsx';
import { Pane, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { IconButton } from '../parts/small.tsx';
import { words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { listCollections } from './collections.ts';
import css from './documents.module.css';
import { idOf } from './path.ts';

/** Polling interval of the list, in milliseconds: there is no stream of collections. */
const EVERY_MS = 3_000;

/** The collections below a document, or of the root. */
export function CollectionsPane({
  databaseId,
  parent,
  chosen,
  onOpen,
  onNew,
}: {
  databaseId: string;
  parent: string;
  chosen: string;
  onOpen: (path: string) => void;
  onNew: () => void;
}) {
  const { data, error } = useAsk(
    `${databaseId} ${parent}`,
    () => listCollections(databaseId, parent),
    EVERY_MS,
  );
  const below = (id: string) => (parent === '' ? id : `${parent}/${id}`);
  // A collection typed as a path may not exist yet.
  const ids = data && chosen !== '' && !data.includes(idOf(chosen)) ? [...data, idOf(chosen)] : data;
  return (
    <Pane
      label="Collections"
      head={
        <>
          <h2>{parent === '' ? 'Collections' : idOf(parent)}</h2>
          <IconButton label="New collection" onClick={onNew}>
            <Plus size={15} aria-hidden />
          </IconButton>
        </>
      }
    >
      {parent !== '' && (
        <button type="button" className={css.collection} onClick={() => onOpen(parent)}>
          <CornerLeftUp size={14} aria-hidden />
          <span>Back to {idOf(parent)}</span>
        </button>
      )}
      {error !== undefined && !data && <Problem title={words(error)} />}
      {!ids && error === undefined && <Waiting />}
      {ids?.length === 0 && <Quiet title="Nothing here yet">Programs make collections by writing.</Quiet>}
      {ids?.map((id) => (
        <button
          key={id}
          type="button"
          className={css.collection}
          aria-current={below(id) === chosen || undefined}
          onClick={() => onOpen(below(id))}
        >
          <Folder size={14} aria-hidden />
          <span>{id}</span>
        </button>
      ))}
    </Pane>
  );
}
