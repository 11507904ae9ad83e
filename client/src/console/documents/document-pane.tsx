import { Button, SegmentedControl } from '@mantine/core';
import { Folder, MousePointerClick, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WireDocument } from '../../sdk/firestore/types.ts';
import { Problem } from '../../ui/page/page.tsx';
import { Pane, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { CopyButton, IconButton } from '../parts/small.tsx';
import { when } from '../parts/units.ts';
import { database, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { useLive } from '../server/use-live.ts';
import { listCollections } from './collections.ts';
import css from './documents.module.css';
import { FieldTree } from './field-tree.tsx';
import { idOf } from './path.ts';
import { fieldsToJson, parseFields } from './values.ts';
import { replace } from './writes.ts';

/** The whole document as JSON, kept with Ctrl Enter. */
function JsonEditor({ databaseId, document }: { databaseId: string; document: WireDocument }) {
  const shown = JSON.stringify(fieldsToJson(document.fields), null, 2);
  const [begun, setBegun] = useState<{ document: WireDocument; text: string }>();
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const text = begun?.text ?? shown;
  const stale = begun !== undefined && begun.document.updateTime !== document.updateTime;
  const save = async () => {
    if (!begun) return;
    setSaving(true);
    setError(undefined);
    try {
      await replace(databaseId, begun.document, parseFields(begun.text, database(databaseId).root));
      setBegun(undefined);
    } catch (failed) {
      setError(words(failed));
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className={css.json}>
      <textarea
        aria-label="Fields as JSON"
        spellCheck={false}
        value={text}
        onChange={(event) =>
          setBegun({ document: begun?.document ?? document, text: event.currentTarget.value })
        }
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      {error !== undefined && <Problem title={error} />}
      {stale && (
        <Problem title="The document has changed meanwhile.">
          Take over what is there now, or put your text in again after it.
        </Problem>
      )}
      <div className={css.jsonFoot}>
        <span>Times, places and other kinds: {'{ "$timestamp": "2026-01-31T12:00:00Z" }'}</span>
        <Button size="compact-sm" variant="default" disabled={!begun} onClick={() => setBegun(undefined)}>
          Discard
        </Button>
        <Button size="compact-sm" disabled={!begun || stale} loading={saving} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** Collections below the document. */
function Below({
  databaseId,
  path,
  onOpen,
}: {
  databaseId: string;
  path: string;
  onOpen: (path: string) => void;
}) {
  const { data = [] } = useAsk(`${databaseId} below ${path}`, () => listCollections(databaseId, path), 3_000);
  if (data.length === 0) return null;
  return (
    <div className={css.below}>
      {data.map((id) => (
        <button key={id} type="button" onClick={() => onOpen(`${path}/${id}`)}>
          <Folder size={13} aria-hidden />
          {id}
        </button>
      ))}
    </div>
  );
}

/** The chosen document. */
export function DocumentPane({
  databaseId,
  path,
  onOpen,
  onDelete,
}: {
  databaseId: string;
  path: string | undefined;
  onOpen: (path: string) => void;
  onDelete: () => void;
}) {
  const [view, setView] = useState('fields');
  const { root } = database(databaseId);
  const spec = path === undefined ? null : JSON.stringify({ documents: { documents: [`${root}/${path}`] } });
  const live = useLive(databaseId, spec);
  const document = live.documents?.[0];
  if (path === undefined) {
    return (
      <Pane label="Document" head={<h2>No document</h2>}>
        <Quiet icon={<MousePointerClick size={30} />} title="Choose a document">
          Its fields show here, and change here.
        </Quiet>
      </Pane>
    );
  }
  return (
    <Pane
      label="Document"
      head={
        <>
          <h2 title={path}>{idOf(path)}</h2>
          <CopyButton text={path} label="Copy the document's path" />
          <SegmentedControl
            size="xs"
            aria-label="How the document is shown"
            data={[
              { value: 'fields', label: 'Fields' },
              { value: 'json', label: 'JSON' },
            ]}
            value={view}
            onChange={setView}
          />
          <IconButton label="Delete this document" danger disabled={!document} onClick={onDelete}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </>
      }
      foot={
        document && (
          <span>
            Made {when(document.createTime)}, changed {when(document.updateTime)}
          </span>
        )
      }
    >
      <Below databaseId={databaseId} path={path} onOpen={onOpen} />
      {live.error !== undefined && <Problem title={live.error} />}
      {!live.documents && live.error === undefined && <Waiting />}
      {live.documents && !document && (
        <Quiet title="There is no such document">
          It was deleted, or only has collections below it. When it is written, it shows here.
        </Quiet>
      )}
      {document &&
        (view === 'json' ? (
          <JsonEditor databaseId={databaseId} document={document} />
        ) : (
          <FieldTree databaseId={databaseId} document={document} />
        ))}
    </Pane>
  );
}
