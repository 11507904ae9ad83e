import { Button } from '@mantine/core';
import { Database, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { WireDocument } from '../../sdk/firestore/types.ts';
import { Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { Confirm } from '../parts/confirm.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { type Column, Rows } from '../parts/rows.tsx';
import { IconButton } from '../parts/small.tsx';
import { ask, database, emulator, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { useLive } from '../server/use-live.ts';
import { CollectionsPane } from './collections-pane.tsx';
import { DocumentPane } from './document-pane.tsx';
import { NewDocument } from './new-document.tsx';
import { addressOf, idOf, pathOf, placeOf } from './path.ts';
import { PathBar } from './path-bar.tsx';
import { type BuiltQuery, EVERYTHING, FIRST_LIMIT, isEverything, MOST_LIMIT, toWire } from './query.ts';
import { QueryBar } from './query-bar.tsx';
import { toText } from './values.ts';
import { remove, removeCollection } from './writes.ts';

/** Most fields shown as columns. */
const MOST_COLUMNS = 6;

/** The fields that most documents have, in the order they are first met. */
function commonFields(documents: readonly WireDocument[]): string[] {
  const counts = new Map<string, number>();
  for (const { fields = {} } of documents) {
    for (const name of Object.keys(fields)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
}

function columnsOf(fields: readonly string[], group: boolean): Column<WireDocument>[] {
  const id: Column<WireDocument> = {
    name: group ? 'Path' : 'Id',
    width: group ? 300 : 160,
    code: true,
    cell: ({ name }) => (group ? pathOf(name) : idOf(name)),
  };
  const others = fields.slice(0, MOST_COLUMNS).map((field): Column<WireDocument> => {
    return {
      name: field,
      cell: ({ fields = {} }) => {
        const value = fields[field];
        return value === undefined ? '' : toText(value);
      },
    };
  });
  return [id, ...others];
}

/** The query in the address, so that it can be kept and shared. */
function useBuiltQuery(): [BuiltQuery, (built: BuiltQuery) => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.get('q');
  const built = useMemo(() => {
    try {
      return text === null ? EVERYTHING : { ...EVERYTHING, ...(JSON.parse(text) as BuiltQuery) };
    } catch {
      return EVERYTHING;
    }
  }, [text]);
  const set = (next: BuiltQuery) =>
    setSearch((old) => {
      if (isEverything(next) && next.limit === FIRST_LIMIT) old.delete('q');
      else old.set('q', JSON.stringify(next));
      return old;
    });
  return [built, set];
}

type Dialog = 'new' | 'collection' | 'delete' | 'delete-collection' | undefined;

/** Documents: collections, a collection's documents, and one of them. */
export function Component() {
  const path = useParams()['*'] ?? '';
  const place = placeOf(path);
  const [search] = useSearchParams();
  const databaseId = search.get('db') ?? '(default)';
  const navigate = useNavigate();
  const [built, setBuilt] = useBuiltQuery();
  const [dialog, setDialog] = useState<Dialog>();
  const { root } = database(databaseId);
  const databases = useAsk('databases', () => ask<{ databases: string[] }>(emulator('databases')));
  const wanted = useMemo(() => {
    if (place.collection === '') return { spec: null, orders: [], error: undefined };
    try {
      const { parent, query: structuredQuery } = toWire(built, place.collection, root);
      const spec = JSON.stringify({ query: { parent, structuredQuery } });
      return { spec, orders: structuredQuery.orderBy ?? [], error: undefined };
    } catch (error) {
      return { spec: null, orders: [], error: words(error) };
    }
  }, [built, place.collection, root]);
  const live = useLive(databaseId, wanted.spec, wanted.orders);
  const documents = live.documents;
  const fields = useMemo(() => commonFields(documents ?? []), [documents]);
  const open = (to: string, keep = false) => {
    const kept = new URLSearchParams(search);
    if (!keep) kept.delete('q');
    const text = kept.toString();
    void navigate(addressOf(to, text === '' ? '' : `?${text}`));
  };
  const chosen = place.document === undefined ? undefined : `${root}/${place.document}`;
  const error = wanted.error ?? live.error;
  return (
    <ConsolePage
      title="Documents"
      actions={
        <PathBar
          path={path}
          databaseId={databaseId}
          databases={databases.data?.databases ?? [databaseId]}
          onGo={(to) => open(to)}
          onDatabase={(id) =>
            void navigate(`/documents${id === '(default)' ? '' : `?db=${encodeURIComponent(id)}`}`)
          }
        />
      }
    >
      <Panes columns="minmax(150px, 200px) minmax(0, 1.25fr) minmax(0, 1fr)">
        <CollectionsPane
          databaseId={databaseId}
          parent={place.parent}
          chosen={place.collection}
          onOpen={(to) => open(to)}
          onNew={() => setDialog('collection')}
        />
        <Pane
          label="Documents of the collection"
          head={
            <>
              <h2>{place.collection === '' ? 'No collection' : idOf(place.collection)}</h2>
              {place.collection !== '' && (
                <>
                  <IconButton
                    label="Delete this collection"
                    danger
                    onClick={() => setDialog('delete-collection')}
                  >
                    <Trash2 size={15} aria-hidden />
                  </IconButton>
                  <Button
                    size="compact-sm"
                    leftSection={<Plus size={14} aria-hidden />}
                    onClick={() => setDialog('new')}
                  >
                    New document
                  </Button>
                </>
              )}
            </>
          }
          foot={
            documents && (
              <>
                <span aria-live="polite">
                  {documents.length === built.limit ? `The first ${documents.length}` : documents.length}{' '}
                  {documents.length === 1 ? 'document' : 'documents'}, live
                </span>
                {documents.length === built.limit && built.limit < MOST_LIMIT && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setBuilt({ ...built, limit: Math.min(built.limit * 2, MOST_LIMIT) })}
                  >
                    Show more
                  </Button>
                )}
              </>
            )
          }
        >
          {place.collection !== '' && (
            <QueryBar
              key={place.collection}
              built={built}
              onRun={setBuilt}
              fields={fields}
              collection={place.collection}
              root={root}
            />
          )}
          {error !== undefined && <Problem title={error} />}
          {place.collection === '' ? (
            <Quiet icon={<Database size={30} />} title="Choose a collection">
              What programs write appears here by itself.
            </Quiet>
          ) : documents?.length === 0 ? (
            <Quiet icon={<Database size={30} />} title="No documents">
              {isEverything(built)
                ? 'What is written to this collection appears here by itself.'
                : 'No document meets all conditions.'}
            </Quiet>
          ) : (
            error === undefined && (
              <Rows
                label="Documents"
                columns={columnsOf(fields, built.group)}
                rows={documents}
                keyOf={({ name }) => name}
                chosen={chosen}
                changed={live.changed}
                onChoose={({ name }) => open(pathOf(name), true)}
                onDelete={() => setDialog('delete')}
              />
            )
          )}
        </Pane>
        <DocumentPane
          key={`${databaseId} ${place.document}`}
          databaseId={databaseId}
          path={place.document}
          onOpen={(to) => open(to)}
          onDelete={() => setDialog('delete')}
        />
      </Panes>
      <Dialogs
        dialog={dialog}
        databaseId={databaseId}
        place={place}
        onClose={() => setDialog(undefined)}
        onOpen={open}
      />
    </ConsolePage>
  );
}

/** Making and deleting documents and collections. */
function Dialogs({
  dialog,
  databaseId,
  place,
  onClose,
  onOpen,
}: {
  dialog: Dialog;
  databaseId: string;
  place: ReturnType<typeof placeOf>;
  onClose: () => void;
  /** @param keep keeps the query of the address */
  onOpen: (path: string, keep?: boolean) => void;
}) {
  return (
    <>
      <NewDocument
        open={dialog === 'new' || dialog === 'collection'}
        databaseId={databaseId}
        collection={dialog === 'new' ? place.collection : undefined}
        parent={place.parent}
        onClose={onClose}
        onMade={(made) => onOpen(made, dialog === 'new')}
      />
      <Confirm
        open={dialog === 'delete' && place.document !== undefined}
        title="Delete this document?"
        action="Delete document"
        onClose={onClose}
        run={async () => {
          await remove(databaseId, [place.document ?? ''], true);
          toasts.show(`${idOf(place.document ?? '')} is deleted`, { type: 'success' });
          onOpen(place.collection, true);
        }}
      >
        <code>{place.document}</code> and everything in collections below it. This cannot be undone.
      </Confirm>
      <Confirm
        open={dialog === 'delete-collection'}
        title="Delete this collection?"
        action="Delete collection"
        onClose={onClose}
        run={async () => {
          await removeCollection(databaseId, place.collection);
          toasts.show(`${place.collection} is deleted`, { type: 'success' });
          onOpen(place.parent);
        }}
      >
        Every document of <code>{place.collection}</code> and everything below them. This cannot be undone.
      </Confirm>
    </>
  );
}
