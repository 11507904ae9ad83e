import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { own } from '../../../../../core/records.ts';
import type { TableSource } from '../../../../../data/documents/documents.ts';
import { type ImportProblem, MAX_FILE_BYTES } from '../../../../../data/import/decode.ts';
import { fetchTable } from '../../../../../data/import/fetch-table.ts';
import {
  type ImportPlan,
  intentsOf,
  type Mapping,
  planImport,
  suggestMapping,
} from '../../../../../data/import/plan.ts';
import { readTableBytes } from '../../../../../data/import/read-file.ts';
import {
  type ImportedTable,
  type ImportResult,
  MAX_SHOWN_FAULTS,
  readDelimited,
  readGrid,
} from '../../../../../data/import/table.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import { parseClipboardText } from '../../../../../data/table/changes/clipboard.ts';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { importBegins } from '../../../../../data/versions/automatic.ts';
import { Problem } from '../../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import project from '../../project.module.css';
import { useAccess } from '../../project-gate.tsx';
import { showUndoable } from '../saving/show-undoable.ts';
import { ImportMapping } from './import-mapping.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ChooseSource, FIRST_CHOICE, type ImportKind, type SourceChoice } from './import-source.tsx';

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

function Faults({ faults }: { faults: readonly ImportProblem[] }) {
  if (faults.length === 0) return null;
  return (
    <Problem
      title={
        faults.length === 1
          ? 'Nothing was imported: one fault.'
          : `Nothing was imported: ${faults.length} faults.`
      }
    >
      <ul className={project.problems}>
        {faults.slice(0, MAX_SHOWN_FAULTS).map((fault) => (
          <li key={`${fault.row}:${fault.column}:${fault.message}`}>
            {where(fault)}
            {fault.message}
          </li>
        ))}
        {faults.length > MAX_SHOWN_FAULTS && <li>And {faults.length - MAX_SHOWN_FAULTS} more.</li>}
      </ul>
    </Problem>
  );
}

/**
 * Writes an import and says what it changed.
 * @param id of the project; undefined on the page of one table, whose imports are frozen as other large changes are
 * @param remove cards that the source lacks go
 * @param patch change of the component itself
 */
function runImport(
  id: string | undefined,
  table: CardTable,
  { component, cards }: TableState,
  plan: ImportPlan,
  remove: boolean,
  patch: { readonly source?: TableSource | null },
): void {
  const last = cards[cards.length - 1]?.order ?? -1;
  // Cards that are only added are taken out again as easily.
  if (id !== undefined && (plan.changed.length > 0 || remove)) importBegins(id);
  const done = table.run('import', [
    ...intentsOf(plan, component, last, remove, newId),
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
  const { component, cards } = state;
  const id = useAccess()?.project.id;
  const [shown, setShown] = useState<ImportKind>('file');
  const [read, setRead] = useState<Read>();
  const [mapping, setMapping] = useState<Mapping>();
  const [step, setStep] = useState<'choose' | 'map' | 'preview'>('choose');
  const [problems, setProblems] = useState<readonly ImportProblem[]>([]);
  const [busy, setBusy] = useState(false);
  const [choice, setChoice] = useState<SourceChoice>(FIRST_CHOICE);
  const change = (part: Partial<SourceChoice>) => setChoice((old) => ({ ...old, ...part }));
  const { pasted, address, delimiter, every, follow } = choice;
  const [remove, setRemove] = useState(false);
  const source = component.source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened dialog starts over
  useEffect(() => {
    if (!kind) return;
    setShown(kind);
    setRead(preloaded && { table: preloaded.table });
    setMapping(preloaded?.mapping);
    setStep(preloaded ? 'preview' : 'choose');
    setProblems([]);
    setRemove(source?.mirror ?? false);
    change({ delimiter: '', every: source?.everyMinutes ?? 0, address: source?.url ?? '' });
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
    if (!plan || !mapping) return;
    const matched = mapping.match.by === 'column' ? own(mapping.targets, mapping.match.source) : undefined;
    const source: TableSource = {
      url: address.trim(),
      idColumn: matched?.kind === 'existing' ? matched.key : null,
      mirror: remove,
      everyMinutes: every,
      syncedAt: Date.now(),
    };
    runImport(id, table, state, plan, remove, shown === 'address' ? { source: follow ? source : null } : {});
    onClose();
  };

  return (
    <Popup open={kind !== undefined} onClose={onClose} title={TITLES[shown]} width={820}>
      <Faults faults={faults} />
      {step === 'choose' && <ChooseSource kind={shown} choice={choice} onChange={change} onFile={takeFile} />}
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
