import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { cellAt } from '../../../../core/records.ts';
import { countOf, KINDS, kindOf } from '../../../../core/scene/kinds.ts';
import { type ComponentKind, MAX_NAME_LENGTH } from '../../../../data/documents/documents.ts';
import { type ImportProblem, MAX_FILE_BYTES } from '../../../../data/import/decode.ts';
import { readTableBytes } from '../../../../data/import/read-file.ts';
import { type ImportedTable, MAX_SHOWN_FAULTS } from '../../../../data/import/table.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { createComponent } from '../../../../data/project/project-contents.ts';
import { isUnanswered } from '../../../../data/server/commit.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import css from '../project.module.css';
import combineCss from './combine.module.css';
import { CombineForm, FIRST_LISTS, tableOf } from './combine-form.tsx';
import { FileDrop } from './file-drop.tsx';
import { FilePick } from './file-pick.tsx';
import { sampleList } from './sample-list.ts';

/** Rows shown before an import. */
const PREVIEW_ROWS = 6;

/** Origin of the rows of a new component. */
type Way = 'file' | 'lists' | 'empty';
const WAYS = [
  { value: 'file', label: 'From a file' },
  { value: 'lists', label: 'From combinations' },
  { value: 'empty', label: 'Empty' },
];

const EMPTY_TABLE: ImportedTable = {
  columns: [
    { key: 'name', name: 'Name', type: 'text' },
    { key: 'text', name: 'Text', type: 'text' },
  ],
  rows: [],
  copiesColumn: undefined,
  idColumn: undefined,
};

type Read =
  | { at: 'nothing' }
  | { at: 'reading'; file: string }
  | { at: 'faulty'; file: string; problems: readonly ImportProblem[] }
  | { at: 'ready'; file: string; table: ImportedTable };

async function readFile(file: File): Promise<Read> {
  // A file far too large is not even read.
  const bytes =
    file.size > MAX_FILE_BYTES
      ? new Uint8Array(MAX_FILE_BYTES + 1)
      : new Uint8Array(await file.arrayBuffer());
  const result = await readTableBytes(bytes);
  if ('problems' in result) {
    const problems =
      file.size > MAX_FILE_BYTES
        ? [
            {
              message: `The file is ${(file.size / 1024 / 1024).toFixed(1)} MB; at most 8.0 MB fit. Split it into several components.`,
            },
          ]
        : result.problems;
    return { at: 'faulty', file: file.name, problems };
  }
  return { at: 'ready', file: file.name, table: result.table };
}

/** `star_cards.csv` is called “Star cards”. */
function nameFrom(file: string): string {
  const words = file
    .replace(/\.[^.]*$/, '')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function where({ row, column }: ImportProblem): string {
  if (row === undefined) return '';
  return column === undefined ? `Row ${row}` : `Row ${row}, column ${column}`;
}

function ProblemList({ file, problems }: { file: string; problems: readonly ImportProblem[] }) {
  return (
    <Problem
      title={`${file} was not imported: ${problems.length === 1 ? 'one fault' : `${problems.length} faults`}.`}
    >
      <ul className={css.problems}>
        {problems.slice(0, MAX_SHOWN_FAULTS).map((problem) => (
          <li key={`${problem.row}:${problem.column}:${problem.message}`}>
            {where(problem) && <b>{where(problem)}</b>} {problem.message}
          </li>
        ))}
        {problems.length > MAX_SHOWN_FAULTS && <li>And {problems.length - MAX_SHOWN_FAULTS} more.</li>}
      </ul>
    </Problem>
  );
}

function Preview({ table }: { table: ImportedTable }) {
  return (
    <div className={css.preview}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label="Preview">
        <table>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column.key} scope="col">
                  {column.name}
                  {column.key === table.copiesColumn && <em> copies</em>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, PREVIEW_ROWS).map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity before they are imported
              <tr key={i}>
                {table.columns.map((column) => (
                  <td key={column.key}>{cellAt(row.cells, column.key)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>
        {table.rows.length} cards, {table.columns.length} columns
        {table.rows.length > PREVIEW_ROWS && `; the first ${PREVIEW_ROWS} are shown`}.
      </p>
    </div>
  );
}

function PickFile({ read, onFile }: { read: Read; onFile: (file: File) => void }) {
  return (
    <FileDrop onFile={onFile} tutorial="pick-file">
      <FilePick label="CSV file" onFile={onFile}>
        {read.at === 'nothing' ? (
          <>
            <b>Choose a file</b> or drop one here: CSV, Excel or JSON
          </>
        ) : (
          <>
            <b>{read.file}</b>, choose another
          </>
        )}
      </FilePick>
      {read.at === 'reading' && (
        <p className={css.sample} role="status">
          Reading {read.file} …
        </p>
      )}
      {read.at === 'nothing' && (
        <p className={css.sample}>
          No list yet?{' '}
          <button type="button" onClick={() => onFile(sampleList())}>
            Take the sample list
          </button>
        </p>
      )}
    </FileDrop>
  );
}

/** Kind and size of the pieces of a component. */
function KindFields({
  kind,
  sizeAt,
  onKind,
  onSize,
}: {
  kind: ReturnType<typeof kindOf>;
  /** Index among the kind's sizes. */
  sizeAt: number;
  onKind: (id: ComponentKind) => void;
  onSize: (at: number) => void;
}) {
  return (
    <div className={combineCss.pair}>
      <NativeSelect
        label="Kind"
        value={kind.id}
        data={KINDS.map(({ id, name: label }) => ({ value: id, label }))}
        onChange={(event) => {
          onKind(event.currentTarget.value as ComponentKind);
        }}
      />
      <NativeSelect
        label="Size"
        value={String(sizeAt)}
        data={kind.sizes.map(({ name: label, size: { w, h } }, i) => ({
          value: String(i),
          label: `${label}, ${w} × ${h} mm`,
        }))}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** Makes a component of a file: choose, look, import. */
export function ImportDialog({
  project,
  order,
  open,
  file,
  onClose,
  onDone,
}: {
  project: Project;
  order: number;
  open: boolean;
  file: File | undefined;
  onClose: () => void;
  onDone: (component: string) => void;
}) {
  const [way, setWay] = useState<Way>('file');
  const [lists, setLists] = useState(FIRST_LISTS);
  const [kindId, setKindId] = useState<ComponentKind>('cards');
  const [sizeAt, setSizeAt] = useState(0);
  const [read, setRead] = useState<Read>({ at: 'nothing' });
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const kind = kindOf(kindId);
  const size = kind.sizes[sizeAt]?.size;
  const combined = way === 'lists' ? tableOf(lists) : undefined;
  const table =
    way === 'file'
      ? read.at === 'ready'
        ? read.table
        : undefined
      : way === 'lists'
        ? combined
        : EMPTY_TABLE;

  const latest = useRef<File>(undefined);
  /** Name taken from a file, which the next file's takes the place of. */
  const fileName = useRef('');
  const take = (chosen: File) => {
    latest.current = chosen;
    setFailure(undefined);
    setRead({ at: 'reading', file: chosen.name });
    readFile(chosen).then(
      (result) => {
        if (latest.current !== chosen) return;
        setRead(result);
        if (result.at !== 'ready') return;
        const before = fileName.current;
        fileName.current = nameFrom(chosen.name);
        setName((known) => (known === '' || known === before ? fileName.current : known));
      },
      (error) => {
        if (latest.current !== chosen) return;
        setRead({ at: 'nothing' });
        setFailure(describeError(error));
      },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened dialog starts over
  useEffect(() => {
    latest.current = undefined;
    if (!open) return;
    fileName.current = '';
    setRead({ at: 'nothing' });
    setWay('file');
    setLists(FIRST_LISTS);
    setKindId('cards');
    setSizeAt(0);
    setName('');
    setFailure(undefined);
    if (file) take(file);
  }, [open, file]);

  const submit = async (table: ImportedTable) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const id = await createComponent(project, name.trim() || kind.name, order, table, {
        kind: kindId,
        ...(size && (kindId !== 'cards' || sizeAt > 0) && { size }),
      });
      const made = countOf(kind, table.rows.length);
      toasts.show(way === 'file' ? `${made} imported.` : `${made} made.`, { type: 'success' });
      onDone(id);
    } catch (error) {
      setFailure(
        isUnanswered(error)
          ? 'The server has not answered, and may still import this. Look for the component in the project before you try again.'
          : `Nothing was imported. ${describeError(error)}`,
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <Popup open={open} onClose={onClose} title="Add component" width={760}>
      {failure && <Problem title={failure} />}
      <SegmentedControl
        aria-label="Start from"
        value={way}
        data={WAYS}
        onChange={(value) => setWay(value as Way)}
      />
      {way === 'lists' && <CombineForm lists={lists} onChange={setLists} />}
      {way === 'file' && <PickFile read={read} onFile={take} />}
      {way === 'file' && read.at === 'faulty' && <ProblemList file={read.file} problems={read.problems} />}
      {table && (
        <>
          {way === 'file' && <Preview table={table} />}
          <KindFields
            kind={kind}
            sizeAt={sizeAt}
            onKind={(id) => {
              setKindId(id);
              setSizeAt(0);
            }}
            onSize={setSizeAt}
          />
          <TextInput
            label="Component name"
            placeholder={kind.name}
            value={name}
            maxLength={MAX_NAME_LENGTH}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button
          data-tutorial="import"
          disabled={!table}
          loading={busy}
          onClick={() => {
            if (table) void submit(table);
          }}
        >
          {way === 'empty'
            ? 'Add empty component'
            : table
              ? `${way === 'file' ? 'Import' : 'Make'} ${countOf(kind, table.rows.length)}`
              : way === 'file'
                ? 'Import'
                : 'Make'}
        </Button>
      </PopupActions>
    </Popup>
  );
}
