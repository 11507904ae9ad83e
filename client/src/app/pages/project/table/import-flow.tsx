import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { FileSpreadsheet } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { own } from '../../../../core/records.ts';
import type { TableSource } from '../../../../data/documents.ts';
import { type ImportProblem, MAX_FILE_BYTES } from '../../../../data/import/decode.ts';
import { fetchTable } from '../../../../data/import/fetch-table.ts';
import { intentsOf, type Mapping, planImport, suggestMapping } from '../../../../data/import/plan.ts';
import { ACCEPTED_FILES, readTableBytes } from '../../../../data/import/read-file.ts';
import {
  type ImportedTable,
  type ImportResult,
  readDelimited,
  readGrid,
} from '../../../../data/import/table.ts';
import { describeError } from '../../../../data/messages.ts';
import type { CardTable } from '../../../../data/table/card-table.ts';
import { parseClipboardText } from '../../../../data/table/clipboard.ts';
import type { TableState } from '../../../../data/table/table-state.ts';
import { Problem } from '../../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { FileDrop } from '../file-drop.tsx';
import project from '../project.module.css';
import dialogs from './dialogs.module.css';
import { ImportMapping } from './import-mapping.tsx';
import { ImportPreview } from './import-preview.tsx';
import { showUndoable } from './show-undoable.ts';

/** Source of an import. */
export type ImportKind = 'file' | 'paste' | 'address';

interface Read {
  readonly table: ImportedTable;
}

const TITLES: Readonly<Record<ImportKind, string>> = {
  file: 'Import a file',
  paste: 'Import pasted rows',
  address: 'Import from the web',
};

const newId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 20);

function where({ row, column }: ImportProblem): string {
  if (row === undefined) return '';
  return column === undefined ? `Row ${row}: ` : `Row ${row}, column ${column}: `;
}

/** Brings a table into one that is there: choose, map the columns, see what would change, import. */
export function ImportFlow({
  kind,
  preloaded,
  table,
  state,
  onClose,
}: {
  /** `undefined` closes it. */
  kind: ImportKind | undefined;
  /** A table that was fetched already: it is shown at once. */
  preloaded: { readonly table: ImportedTable; readonly mapping: Mapping } | undefined;
  table: CardTable;
  state: TableState;
  onClose: () => void;
}) {
  const input = useId();
  const { component, cards } = state;
  const [shown, setShown] = useState<ImportKind>('file');
  const [read, setRead] = useState<Read>();
  const [mapping, setMapping] = useState<Mapping>();
  const [step, setStep] = useState<'choose' | 'map' | 'preview'>('choose');
  const [problems, setProblems] = useState<readonly ImportProblem[]>([]);
  const [busy, setBusy] = useState(false);
  const [pasted, setPasted] = useState('');
  const [address, setAddress] = useState('');
  const [delimiter, setDelimiter] = useState('');
  const [remove, setRemove] = useState(false);
  const [every, setEvery] = useState(0);
  const [follow, setFollow] = useState(true);
  const source = component.source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened dialog starts over
  useEffect(() => {
    if (!kind) return;
    setShown(kind);
    setRead(preloaded && { table: preloaded.table });
    setMapping(preloaded?.mapping);
    setStep(preloaded ? 'preview' : 'choose');
    setProblems([]);
    setDelimiter('');
    setRemove(source?.mirror ?? false);
    setEvery(source?.everyMinutes ?? 0);
    setAddress(source?.url ?? '');
  }, [kind, preloaded]);

  const take = async (work: () => Promise<ImportResult>) => {
    setBusy(true);
    setProblems([]);
    try {
      const result = await work();
      if ('problems' in result) {
        setProblems(result.problems);
        return;
      }
      setRead({ table: result.table });
      setMapping(suggestMapping(result.table, component, cards));
      setStep('map');
    } catch (error) {
      setProblems([{ message: describeError(error) }]);
    } finally {
      setBusy(false);
    }
  };
  const takeFile = (file: File) =>
    void take(async () => {
      if (file.size > MAX_FILE_BYTES) {
        const size = (file.size / 1024 / 1024).toFixed(1);
        return { problems: [{ message: `The file is ${size} MB; at most 8.0 MB fit.` }] };
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      return readTableBytes(bytes, delimiter || undefined);
    });
  const takePaste = () =>
    void take(async () => {
      if (delimiter !== '') return readDelimited(pasted, delimiter);
      return pasted.includes('\t') ? readGrid(parseClipboardText(pasted)) : readDelimited(pasted);
    });
  const takeAddress = () =>
    void take(async () => readTableBytes(await fetchTable(address), delimiter || undefined));

  const planned = useMemo(
    () => (read && mapping ? planImport(read.table, mapping, component, cards) : undefined),
    [read, mapping, component, cards],
  );
  const plan = planned && 'plan' in planned ? planned.plan : undefined;
  const faults = planned && 'problems' in planned ? planned.problems : problems;

  const apply = () => {
    if (!plan || !read || !mapping) return;
    const last = cards[cards.length - 1]?.order ?? -1;
    const intents = intentsOf(plan, component, last, remove, newId);
    const matched = mapping.match.by === 'column' ? own(mapping.targets, mapping.match.source) : undefined;
    const idColumn = matched?.kind === 'existing' ? matched.key : null;
    const next: TableSource = {
      url: address.trim(),
      idColumn,
      mirror: remove,
      everyMinutes: every,
      syncedAt: Date.now(),
    };
    const patch = shown === 'address' ? { source: follow ? next : null } : {};
    const done = table.run('import', [
      ...intents,
      ...(Object.keys(patch).length > 0 ? [{ kind: 'component' as const, patch }] : []),
    ]);
    const changes = plan.added.length + plan.changed.length + (remove ? plan.missing.length : 0);
    const message =
      changes === 0
        ? 'Nothing has changed there.'
        : `Imported: ${changes} ${changes === 1 ? 'card' : 'cards'}.`;
    const manner = { type: 'success', autoCloseTime: 8_000 } as const;
    if (done > 0) showUndoable(table, message, 'import', manner);
    else toasts.show(message, manner);
    onClose();
  };

  return (
    <Popup open={kind !== undefined} onClose={onClose} title={TITLES[shown]} width={820}>
      {faults.length > 0 && (
        <Problem
          title={
            faults.length === 1
              ? 'Nothing was imported: one fault.'
              : `Nothing was imported: ${faults.length} faults.`
          }
        >
          <ul className={project.problems}>
            {faults.map((fault) => (
              <li key={`${fault.row}:${fault.column}:${fault.message}`}>
                {where(fault)}
                {fault.message}
              </li>
            ))}
          </ul>
        </Problem>
      )}
      {step === 'choose' && (
        <div className={dialogs.form}>
          {shown === 'file' && (
            <FileDrop onFile={takeFile}>
              <label className={project.pick} htmlFor={input}>
                <FileSpreadsheet size={22} aria-hidden />
                <span>
                  <b>Choose a file</b> or drop one here: CSV, Excel or JSON
                </span>
                <input
                  id={input}
                  type="file"
                  aria-label="File to import"
                  accept={ACCEPTED_FILES}
                  onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    if (file) takeFile(file);
                    event.currentTarget.value = '';
                  }}
                />
              </label>
            </FileDrop>
          )}
          {shown === 'paste' && (
            <Textarea
              label="Rows, the first with the columns’ names"
              autosize
              minRows={6}
              maxRows={14}
              data-autofocus
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
            />
          )}
          {shown === 'address' && (
            <>
              <TextInput
                label="Address"
                description="A Google Sheet’s link or its published CSV, or any CSV, Excel or JSON file this server may fetch"
                placeholder="https://docs.google.com/spreadsheets/d/…"
                value={address}
                onChange={(event) => setAddress(event.currentTarget.value)}
              />
              <Checkbox
                label="Remember it, to look again later"
                checked={follow}
                onChange={(event) => setFollow(event.currentTarget.checked)}
              />
              <NumberInput
                label="Look again every so many minutes while the table is open (0 is only when asked)"
                disabled={!follow}
                value={every}
                min={0}
                max={1440}
                allowDecimal={false}
                onChange={(value) => setEvery(Number(value) || 0)}
              />
            </>
          )}
          <NativeSelect
            label="Cells are separated by"
            value={delimiter}
            data={[
              { value: '', label: 'Find out' },
              { value: ',', label: 'Commas' },
              { value: ';', label: 'Semicolons' },
              { value: '\t', label: 'Tabs' },
              { value: '|', label: 'Bars' },
              { value: ':', label: 'Colons' },
              { value: '~', label: 'Tildes' },
              { value: '^', label: 'Carets' },
            ]}
            onChange={(event) => setDelimiter(event.currentTarget.value)}
          />
        </div>
      )}
      {read && mapping && step === 'map' && (
        <ImportMapping table={read.table} component={component} mapping={mapping} onChange={setMapping} />
      )}
      {plan && step === 'preview' && (
        <ImportPreview plan={plan} component={component} remove={remove} onRemove={setRemove} />
      )}
      <PopupActions>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            if (step === 'preview') setStep('map');
            else if (step === 'map') setStep('choose');
            else onClose();
          }}
        >
          {step === 'choose' ? 'Cancel' : 'Back'}
        </Button>
        {step === 'choose' && shown !== 'file' && (
          <Button
            loading={busy}
            disabled={shown === 'paste' ? pasted.trim() === '' : address.trim() === ''}
            onClick={shown === 'paste' ? takePaste : takeAddress}
          >
            {shown === 'paste' ? 'Read rows' : 'Fetch'}
          </Button>
        )}
        {step === 'map' && (
          <Button disabled={!plan} onClick={() => setStep('preview')}>
            Show what would change
          </Button>
        )}
        {step === 'preview' && (
          <Button disabled={!plan} onClick={apply}>
            Import
          </Button>
        )}
      </PopupActions>
    </Popup>
  );
}
