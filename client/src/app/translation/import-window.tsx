import { Button } from '@mantine/core';
import { Languages as Icon } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ImportItem, ImportPlan } from '../../core/translation/import.ts';
import { languageName } from '../../core/translation/languages.ts';
import type { TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import { describeError } from '../../data/server/messages.ts';
import { Loading, Problem } from '../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { FilePick } from '../pages/project/import/file-pick.tsx';
import { useAttempt } from '../use-attempt.ts';
import { readTranslationFile, takesTables } from './read-translation-file.ts';
import css from './translation.module.css';
import { WordsChange } from './unit-words.tsx';

interface ImportProps {
  readonly head: TranslationHead;
  /** The translation as it is. */
  readonly units: readonly TranslatedUnit[];
  readonly onTake: (plan: ImportPlan, from: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Most texts that are listed; all are taken. */
const MAX_LISTED = 500;

const CHANGES: Readonly<Record<ImportItem['change'], string>> = {
  added: 'New',
  changed: 'Changed',
  accepted: 'Accepted as it is',
  refused: 'Refused',
};

/** Takes the translations of a file over, after all that it would change was listed. */
export function ImportWindow({ open, ...props }: ImportProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title={`Import ${languageName(props.head.to)}`} width={720}>
      <Import {...props} />
    </Popup>
  );
}

interface Read {
  readonly name: string;
  readonly plan?: ImportPlan;
  readonly problem?: string;
}

/** Reads a file and compares it; its reader is loaded when it is needed. */
async function planOf(file: File, { head, units }: ImportProps): Promise<ImportPlan> {
  const { planImport } = await import('../../core/translation/import.ts');
  return planImport(await readTranslationFile(file, head.whole), head, units);
}

function Import(props: ImportProps) {
  const { onTake, onClose } = props;
  const tables = takesTables(props.head.whole);
  const [read, setRead] = useState<Read>();
  const asked = useRef(0);
  const { busy, failure, attempt } = useAttempt();
  const choose = (file: File) => {
    const ask = ++asked.current;
    const show = (next: Read) => {
      // Another file was chosen meanwhile.
      if (ask === asked.current) setRead(next);
    };
    setRead({ name: file.name });
    planOf(file, props).then(
      (plan) => show({ name: file.name, plan }),
      (error: unknown) => show({ name: file.name, problem: describeError(error) }),
    );
  };
  const { plan, problem, name } = read ?? {};
  const taken = plan?.items.filter(({ entry }) => entry).length ?? 0;
  const take = () =>
    attempt(async () => {
      if (!plan) return;
      await onTake(plan, name ?? 'a file');
      onClose();
    });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      {failure && <Problem title={failure} />}
      {problem !== undefined && <Problem title={`${name} cannot be imported.`}>{problem}</Problem>}
      <FilePick
        label={tables ? 'XLIFF, Excel or CSV file' : 'XLIFF file'}
        accept={`.xlf,.xliff,.xml,application/xliff+xml${tables ? ',.xlsx,.csv' : ''}`}
        icon={<Icon size={22} aria-hidden />}
        onFile={choose}
      >
        {name ?? (
          <>
            <b>Choose a file</b> of XLIFF 2{tables && ', Excel or CSV'}, up to 16 MB
          </>
        )}
      </FilePick>
      {read && !plan && problem === undefined && <Loading label={`Reading ${name}`} />}
      {plan && <PlanList plan={plan} />}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={taken === 0}>
          {taken === 1 ? 'Import 1 text' : `Import ${taken} texts`}
        </Button>
      </PopupActions>
    </form>
  );
}

function PlanList({ plan: { items, same, empty } }: { plan: ImportPlan }) {
  const refused = items.filter(({ change }) => change === 'refused').length;
  const words = [
    `${items.length - refused} to import`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${same} unchanged`,
    ...(empty > 0 ? [`${empty} without a translation`] : []),
  ];
  return (
    <>
      <p role="status">{words.join(', ')}.</p>
      {items.length > 0 && (
        <ul className={css.plan} aria-label="What the file would change">
          {items.slice(0, MAX_LISTED).map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a text twice, and rows keep no state
            <li key={at} data-change={item.change}>
              <div className={css.unitHead}>
                <b>
                  {CHANGES[item.change]}
                  {item.stale && item.change !== 'refused' ? ', stale' : ''}
                </b>
                <span>{[item.heading, item.label].filter(Boolean).join(' · ')}</span>
              </div>
              {item.source && <p className={css.source}>{item.source}</p>}
              {item.after !== undefined && (
                <p>
                  <WordsChange before={item.before ?? ''} after={item.after} />
                </p>
              )}
              {item.problem !== undefined && <p className={css.problem}>{item.problem}</p>}
            </li>
          ))}
          {items.length > MAX_LISTED && <li>and {items.length - MAX_LISTED} more</li>}
        </ul>
      )}
    </>
  );
}
