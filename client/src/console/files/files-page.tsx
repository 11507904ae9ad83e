import { Button, NativeSelect } from '@mantine/core';
import { Download, FileIcon, Folder as FolderIcon, FolderOpen, Trash2, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { saveFile } from '../../ui/download.ts';
import { Placeholder, Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { Confirm } from '../parts/confirm.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { type Column, Rows } from '../parts/rows.tsx';
import { Facts, IconButton } from '../parts/small.tsx';
import { bytes, when } from '../parts/units.ts';
import { server, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import css from './files.module.css';
import { download, listBuckets, listFolder, removeFile, type StoredFile, upload } from './objects.ts';

/** Polling interval of a folder, in milliseconds: there is no stream of files. */
const EVERY_MS = 3_000;
/** Largest picture that is shown, in bytes. */
const MOST_SHOWN = 20_000_000;

type Entry = { readonly folder: string } | { readonly file: StoredFile };

const last = (path: string) => path.replace(/\/$/, '').split('/').pop() ?? path;

const COLUMNS: readonly Column<Entry>[] = [
  {
    name: 'Name',
    cell: (entry) =>
      'folder' in entry ? (
        <span className={css.name}>
          <FolderIcon size={14} aria-hidden />
          <span>{last(entry.folder)}/</span>
        </span>
      ) : (
        <span className={css.name}>
          <FileIcon size={14} aria-hidden />
          <span>{last(entry.file.name)}</span>
        </span>
      ),
  },
  { name: 'Type', width: 170, cell: (entry) => ('file' in entry ? (entry.file.contentType ?? '') : '') },
  {
    name: 'Size',
    width: 96,
    align: 'right',
    cell: (entry) => ('file' in entry ? bytes(Number(entry.file.size)) : ''),
  },
  { name: 'Changed', width: 170, cell: (entry) => ('file' in entry ? when(entry.file.updated) : '') },
];

/** Beside the details of one there is room for these. */
const FEW_COLUMNS = COLUMNS.filter(({ name }) => name !== 'Type');

const keyOf = (entry: Entry) => ('folder' in entry ? entry.folder : entry.file.name);

/** A picture of the file, where it is one. */
function Preview({ file }: { file: StoredFile }) {
  const [url, setUrl] = useState<string>();
  const shown = file.contentType?.startsWith('image/') && Number(file.size) <= MOST_SHOWN;
  const of = JSON.stringify([file.bucket, file.name, file.updated]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` is what the picture depends on
  useEffect(() => {
    if (!shown) return;
    let made: string | undefined;
    let over = false;
    download(file).then(
      (blob) => {
        if (over) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      () => setUrl(undefined),
    );
    return () => {
      over = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [of, shown]);
  if (!shown) return null;
  return url ? <img className={css.preview} src={url} alt={last(file.name)} /> : <Placeholder height={180} />;
}

async function save(file: StoredFile): Promise<void> {
  saveFile(last(file.name), await download(file));
}

function Details({ file }: { file: StoredFile }) {
  return (
    <div className={css.details}>
      <Preview file={file} />
      <Facts
        facts={[
          ['Path', <code key="path">{file.name}</code>],
          ['Type', file.contentType ?? 'not known'],
          ['Size', `${bytes(Number(file.size))} (${file.size} bytes)`],
          ['Made', when(file.timeCreated)],
          ['Changed', when(file.updated)],
          ...(file.md5Hash ? [['MD5', <code key="md5">{file.md5Hash}</code>] as const] : []),
          ...Object.entries(file.metadata ?? {}),
        ]}
      />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Download size={14} aria-hidden />}
        onClick={() =>
          save(file).catch((error: unknown) => toasts.show(words(error), { type: 'error', autoCloseTime: 0 }))
        }
      >
        Download
      </Button>
    </div>
  );
}

/** The way to a folder. */
function Way({ prefix, search }: { prefix: string; search: string }) {
  const parts = prefix.split('/').filter((part) => part !== '');
  const to = (count: number) => ({
    pathname: `/files/${parts
      .slice(0, count)
      .map((part) => `${encodeURIComponent(part)}/`)
      .join('')}`,
    search,
  });
  return (
    <nav className={css.way} aria-label="Folder">
      <Link to={to(0)}>All files</Link>
      {parts.map((part, i) => (
        <span key={parts.slice(0, i + 1).join('/')}>
          <span aria-hidden>/</span> <Link to={to(i + 1)}>{part}</Link>
        </span>
      ))}
    </nav>
  );
}

/** Files: buckets as folders. */
export function Component() {
  const prefix = useParams()['*'] ?? '';
  const [search, setSearch] = useSearchParams();
  const own = server().bucket;
  const bucket = search.get('bucket') ?? own;
  const name = search.get('file');
  const navigate = useNavigate();
  const picker = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const buckets = useAsk('buckets', () => listBuckets(own));
  const { data, error, refresh } = useAsk(`${bucket} ${prefix}`, () => listFolder(bucket, prefix), EVERY_MS);
  const entries: Entry[] | undefined = data && [
    ...data.prefixes.map((folder) => ({ folder })),
    ...data.items.map((file) => ({ file })),
  ];
  const chosen = data?.items.find((file) => file.name === name);
  const query = bucket === own ? '' : `?bucket=${encodeURIComponent(bucket)}`;
  const choose = (file: string | undefined) =>
    setSearch((old) => {
      if (file === undefined) old.delete('file');
      else old.set('file', file);
      return old;
    });
  const add = async (files: FileList | null) => {
    setSending(true);
    try {
      for (const file of files ?? []) await upload(bucket, prefix + file.name, file);
      refresh();
    } catch (failed) {
      toasts.show(words(failed), { type: 'error', autoCloseTime: 0 });
    } finally {
      setSending(false);
    }
  };
  return (
    <ConsolePage
      title="Files"
      lead={<Way prefix={prefix} search={query} />}
      actions={
        <>
          <NativeSelect
            size="xs"
            aria-label="Bucket"
            data={[...(buckets.data ?? [bucket])]}
            value={bucket}
            onChange={(event) => {
              const to = event.currentTarget.value;
              void navigate(`/files${to === own ? '' : `?bucket=${encodeURIComponent(to)}`}`);
            }}
          />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              void add(event.currentTarget.files);
              event.currentTarget.value = '';
            }}
          />
          <Button
            size="compact-sm"
            loading={sending}
            leftSection={<Upload size={14} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            Upload
          </Button>
        </>
      }
    >
      <Panes columns={chosen ? 'minmax(0, 1.6fr) minmax(280px, 1fr)' : 'minmax(0, 1fr)'}>
        <Pane
          label="Files of the folder"
          foot={data?.more ? <span>Only the first entries are listed.</span> : undefined}
        >
          {error !== undefined && !data && <Problem title={words(error)} />}
          {entries?.length === 0 ? (
            <Quiet icon={<FolderOpen size={30} />} title="No files">
              What programs store here appears by itself. Or upload something.
            </Quiet>
          ) : (
            (data || error === undefined) && (
              <Rows
                label="Files"
                columns={chosen ? FEW_COLUMNS : COLUMNS}
                rows={entries}
                keyOf={keyOf}
                chosen={name ?? undefined}
                onChoose={(entry) => {
                  if ('file' in entry) return choose(entry.file.name);
                  const path = entry.folder.split('/').map(encodeURIComponent).join('/');
                  void navigate(`/files/${path}${query}`);
                }}
                onDelete={(entry) => setDeleting('file' in entry)}
              />
            )
          )}
        </Pane>
        {chosen && (
          <Pane
            label="File"
            padded
            head={
              <>
                <h2>{last(chosen.name)}</h2>
                <IconButton label="Delete this file" danger onClick={() => setDeleting(true)}>
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </>
            }
          >
            <Details file={chosen} />
          </Pane>
        )}
      </Panes>
      <Confirm
        open={deleting && chosen !== undefined}
        title="Delete this file?"
        action="Delete file"
        onClose={() => setDeleting(false)}
        run={async () => {
          if (chosen) await removeFile(chosen);
          toasts.show('The file is deleted', { type: 'success' });
          choose(undefined);
          refresh();
        }}
      >
        <code>{chosen?.name}</code>. This cannot be undone.
      </Confirm>
    </ConsolePage>
  );
}
