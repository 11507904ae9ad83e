import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { FileDown, HardDriveDownload, Printer } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { cardName } from '../../../core/imposition/job/card-name.ts';
import { imposeParts, type PrintPart } from '../../../core/imposition/job/print-job.ts';
import { changedSince, readMarks, runsIn } from '../../../core/imposition/job/print-runs.ts';
import { readRanges } from '../../../core/imposition/job/ranges.ts';
import {
  DEFAULT_PRINT_SETTINGS,
  MAX_RASTER_DPI,
  MIN_RASTER_DPI,
  PAGE_SIZES,
  type PrintSettings,
} from '../../../core/imposition/settings.ts';
import { calibrationLayouts } from '../../../core/imposition/sheets/page-marks.ts';
import type { SheetPlan } from '../../../core/imposition/sheets/sheet.ts';
import { EMPTY_ROW } from '../../../core/scene/card/row.ts';
import type { PrintRunDocument } from '../../../data/documents/documents.ts';
import { addPrintRun, usePrintRuns } from '../../../data/project/printing.ts';
import { marksByCard, type ProjectPart } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import type { NamedRequest, PdfRequest } from '../../../workers/export/export-protocol.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { BoardsFields, type NamedPlan } from './boards-fields.tsx';
import { type CardChoice, CardsFields, EVERY_CARD } from './cards-fields.tsx';
import { ExportProgressBar, ExportResult } from './export-result.tsx';
import type { TargetProps } from './export-targets.ts';
import { Section } from './fields.tsx';
import { useKeptSettings } from './kept-settings.ts';
import { fileOrFiles } from './languages/other-languages.ts';
import { cardsOfBoth, OnlyNotice, useOnly } from './only/only-notice.tsx';
import { BACK_MODES, BacksFields, MarksFields, PageFields } from './paper-fields.tsx';
import { PresetField } from './preset-field.tsx';
import css from './print.module.css';
import { usePrinted } from './prints/use-printed.ts';
import { SheetPreview, type ShownSheet } from './sheet-preview.tsx';
import { canChooseFile, useExport } from './use-export.ts';

const BYTES_PER_MB = 1_000_000;
const NO_CARDS: ReadonlySet<string> = new Set();

interface Planned {
  readonly parts: readonly PrintPart[];
  readonly plans: readonly SheetPlan[];
  readonly problem?: string;
  readonly rangeProblem?: string;
}

const namedPlans = ({ parts, plans }: Planned): NamedPlan[] =>
  plans.flatMap((plan, index) => {
    const part = parts[index];
    return part ? [{ name: part.name, plan }] : [];
  });

/** Copies of each card: as chosen by hand, as the list says, or one. */
function chooseCopies(
  { cards }: ProjectPart,
  settings: PrintSettings,
  chosen: readonly (number | undefined)[],
  changed: ReadonlySet<string> | undefined,
): number[] {
  return cards.map((card, index) => {
    if (changed && !changed.has(card.id)) return 0;
    return chosen[index] ?? (settings.copies === 'one' ? Math.min(1, card.copies) : card.copies);
  });
}

function plan(
  projectParts: readonly ProjectPart[],
  settings: PrintSettings,
  choice: CardChoice,
  changed: ReadonlySet<string> | undefined,
): Planned {
  let rangeProblem: string | undefined;
  const parts = projectParts.map((one): PrintPart => {
    let chosen: readonly (number | undefined)[] = [];
    if (projectParts.length === 1) {
      try {
        chosen = readRanges(choice.ranges, one.cards.length);
      } catch (error) {
        rangeProblem = describeError(error);
      }
    }
    const copies = chooseCopies(one, settings, chosen, changed);
    return { ...one.part, cards: one.part.cards.map(({ row }, i) => ({ row, copies: copies[i] ?? 0 })) };
  });
  if (rangeProblem !== undefined) return { parts, plans: [], rangeProblem };
  try {
    return { parts, plans: imposeParts(parts, settings) };
  } catch (error) {
    return { parts, plans: [], problem: describeError(error) };
  }
}

/** Fingerprints of all cards by id, worked out when `wanted`. */
function useFingerprints(
  projectParts: readonly ProjectPart[],
  wanted: boolean,
  fingerprint: (
    projectParts: readonly ProjectPart[],
    signal?: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>,
): ReadonlyMap<string, string> | undefined {
  const [found, setFound] = useState<{ of: readonly ProjectPart[]; marks: ReadonlyMap<string, string> }>();
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    fingerprint(projectParts, abort.signal).then(
      (marks) => setFound({ of: projectParts, marks }),
      (error) => {
        if (!abort.signal.aborted) tellFailure(error);
      },
    );
    return () => abort.abort();
  }, [projectParts, wanted, fingerprint]);
  return wanted && found?.of === projectParts ? found.marks : undefined;
}

/** A sheet that tells how far a printer shifts the backs. */
function calibrationRequest(settings: PrintSettings): PdfRequest {
  const { front, back } = calibrationLayouts(settings);
  const cards = [{ row: EMPTY_ROW, copies: 1 }];
  return {
    kind: 'pdf',
    parts: [{ name: 'Calibration', layout: front, back, columns: [], cards }],
    settings: {
      ...DEFAULT_PRINT_SETTINGS,
      arrangement: 'single',
      backs: { ...DEFAULT_PRINT_SETTINGS.backs, mode: 'separate' },
    },
    title: 'Calibration',
    fileName: 'calibration',
  };
}

function FileFields({
  settings,
  onChange,
  splitMb,
  onSplit,
}: {
  settings: PrintSettings;
  onChange: (settings: PrintSettings) => void;
  /** 0 makes one file. */
  splitMb: number;
  onSplit: (megabytes: number) => void;
}) {
  return (
    <>
      <NumberInput
        label="Split above"
        description="0 makes one PDF; otherwise a ZIP of PDFs of about this size."
        suffix=" MB"
        min={0}
        max={1_000}
        allowDecimal={false}
        clampBehavior="strict"
        value={splitMb}
        onChange={(value) => typeof value === 'number' && onSplit(value)}
      />
      <NumberInput
        label="Effects at"
        description="Letters, shapes and pictures are printed as sharp as they are. Masks, filters and coloured emoji are painted at this."
        suffix=" dots per inch"
        min={MIN_RASTER_DPI}
        max={MAX_RASTER_DPI}
        step={100}
        allowDecimal={false}
        clampBehavior="blur"
        value={settings.rasterDpi}
        onChange={(value) =>
          typeof value === 'number' &&
          value >= MIN_RASTER_DPI &&
          value <= MAX_RASTER_DPI &&
          onChange({ ...settings, rasterDpi: value })
        }
      />
    </>
  );
}

/** The pages that would be printed, or why there are none. */
function PaperPreview({
  planned,
  settings,
  comparing,
  since,
}: {
  planned: Planned;
  settings: PrintSettings;
  /** Changed cards are still being looked for. */
  comparing: boolean;
  /** Only cards that changed since a print are wanted. */
  since: boolean;
}) {
  const sheets = useMemo(
    () =>
      planned.plans.flatMap((one, index): ShownSheet[] => {
        const part = planned.parts[index];
        return part ? one.sheets.map((sheet) => ({ part, plan: one, sheet })) : [];
      }),
    [planned],
  );
  return (
    <div className={css.preview}>
      {planned.problem && <Problem title={planned.problem} />}
      {planned.rangeProblem && (
        <EmptyState icon={<Printer size={26} />} title="No pages to show">
          Which cards to print could not be read: what is wrong stands under Cards.
        </EmptyState>
      )}
      {!planned.problem && !planned.rangeProblem && !comparing && sheets.length === 0 && (
        <EmptyState
          icon={<Printer size={26} />}
          title={since ? 'Nothing changed since that print' : 'Every card has 0 copies'}
        >
          {since
            ? 'What lies on paper looks as the cards do now, so no page would be printed.'
            : 'No page would be printed. Give cards copies in the list, or choose some here.'}
        </EmptyState>
      )}
      {sheets.length > 0 && <SheetPreview sheets={sheets} settings={settings} />}
    </div>
  );
}

/** Cards that look different from their last print. */
function changedSinceLast(
  runs: readonly PrintRunDocument[],
  now: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const known = runs.map(({ number, marks }) => ({ number, marks: readMarks(marks) }));
  return new Set(changedSince(known, Number.POSITIVE_INFINITY, now));
}

function pdfFile(
  title: string,
  parts: readonly PrintPart[],
  settings: PrintSettings,
  splitMb: number,
): NamedRequest {
  const maxBytes = splitMb > 0 ? splitMb * BYTES_PER_MB : undefined;
  const request: PdfRequest = { kind: 'pdf', parts, settings, title, fileName: title, maxBytes };
  return { name: `${title}.${splitMb > 0 ? 'zip' : 'pdf'}`, request };
}

/** The note of a print, in its language. */
function printOf(
  projectParts: readonly ProjectPart[],
  { parts }: Planned,
  marks: ReadonlyMap<string, string>,
) {
  const onPaper = new Set(
    projectParts.flatMap(({ cards }, part) =>
      cards.filter((_, card) => (parts[part]?.cards[card]?.copies ?? 0) > 0).map(({ id }) => id),
    ),
  );
  return {
    what: projectParts.map(({ component }) => component.name).join(', '),
    cards: onPaper.size,
    language: projectParts[0]?.part.language,
    marks: new Map([...marks].filter(([card]) => onPaper.has(card))),
  };
}

/** A PDF for one's own printer: what it will look like, and making it. */
export function PaperPanel({ project, title, projectParts, several }: TargetProps) {
  const [settings, setSettings] = useKeptSettings(project.id);
  const [kept, setChoice] = useState<CardChoice>(EVERY_CARD);
  const [splitMb, setSplitMb] = useState(0);
  const { work, start, cancel, exporter } = useExport();
  const { home, mayNote, version } = usePrinted(project);
  const language = projectParts[0]?.part.language;
  const allRuns = usePrintRuns(home).data?.items;
  // A print in one language says nothing of another.
  const runs = useMemo(() => runsIn(allRuns ?? [], language), [allRuns, language]);
  const choice = useMemo(
    () => (runs.some(({ number }) => number === kept.since) ? kept : { ...kept, since: 0 }),
    [runs, kept],
  );
  const known = useMemo(() => runs.map(({ number, marks }) => ({ number, marks: readMarks(marks) })), [runs]);
  const [fingerprint] = useState(() => async (of: readonly ProjectPart[], signal?: AbortSignal) => {
    const parts = of.map(({ part }) => part);
    const marks = await exporter().fingerprints({ parts }, signal ? { signal } : {});
    return marksByCard(of, marks);
  });
  const now = useFingerprints(projectParts, choice.since > 0, fingerprint);
  const changed = useMemo(
    () => now && new Set(changedSince(known, choice.since, now)),
    [known, choice.since, now],
  );
  const comparing = choice.since > 0 && !changed;
  const only = useOnly();
  const planned = useMemo(
    () => plan(projectParts, settings, choice, cardsOfBoth(only.cards, comparing ? NO_CARDS : changed)),
    [projectParts, settings, choice, changed, comparing, only.cards],
  );
  const printed = planned.plans.reduce((sum, { cards }) => sum + cards, 0);
  const papers = planned.plans.reduce((sum, one) => sum + one.papers, 0);
  const running = work.at === 'running';
  // In another language there may be something to print though nothing changed in this one.
  const ready =
    (printed > 0 || (several && !planned.problem && !planned.rangeProblem)) && !comparing && !running;

  const run = async (toDisk: boolean) => {
    const of = mayNote ? version() : undefined;
    const made: { projectParts: readonly ProjectPart[]; planned: Planned }[] = [];
    const pdf = (name: string, parts: readonly ProjectPart[], one: Planned): NamedRequest | undefined => {
      if (one.plans.every(({ cards }) => cards === 0)) return undefined;
      made.push({ projectParts: parts, planned: one });
      return pdfFile(name || 'cards', one.parts, settings, splitMb);
    };
    const file = fileOrFiles(pdf(title, projectParts, planned), several, async (name, parts, signal) => {
      const before = runsIn(allRuns ?? [], parts[0]?.part.language);
      const differs =
        choice.since > 0 ? changedSinceLast(before, await fingerprint(parts, signal)) : undefined;
      const one = plan(parts, settings, choice, cardsOfBoth(only.cards, differs));
      const problem = one.problem ?? one.rangeProblem;
      if (problem !== undefined) throw new Error(`${name}: ${problem}`);
      return pdf(name, parts, one);
    });
    const done = file !== undefined && (await start(file.request, file.name, toDisk));
    if (!done || !mayNote) return;
    try {
      for (const one of made) {
        const marks = await fingerprint(one.projectParts);
        await addPrintRun(home, { ...printOf(one.projectParts, one.planned, marks), of: await of });
      }
    } catch (error) {
      toasts.show(`The PDF is made, but this print was not noted: ${describeError(error)}`, {
        type: 'warning',
        autoCloseTime: 8_000,
      });
    }
  };
  const calibrate = () => void start(calibrationRequest(settings), 'calibration.pdf');
  const hasBacks = projectParts.some(({ part }) => part.back !== null);
  return (
    <div className={css.columns}>
      <form
        className={css.options}
        onSubmit={(event) => {
          event.preventDefault();
          void run(false);
        }}
      >
        <OnlyNotice only={only} />
        <PresetField project={project} settings={settings} onChange={setSettings} />
        <PageFields settings={settings} onChange={setSettings} />
        <Section title="Cards" hint={choice.ranges || choice.since > 0 || only.cards ? 'some' : 'all'}>
          <CardsFields
            settings={settings}
            onSettings={setSettings}
            choice={choice}
            onChoice={setChoice}
            problem={planned.rangeProblem}
            only={projectParts.length === 1 ? projectParts[0] : undefined}
            runs={runs}
            language={language}
            several={several !== undefined}
            changed={changed && namesOf(projectParts, changed)}
            onForgetChoice={() => setChoice(EVERY_CARD)}
          />
        </Section>
        {settings.arrangement === 'sheets' && (
          <>
            <BoardsFields settings={settings} onChange={setSettings} plans={namedPlans(planned)} />
            <MarksFields settings={settings} onChange={setSettings} />
          </>
        )}
        <Section title="Backs" hint={hasBacks ? BACK_MODES[settings.backs.mode] : 'none chosen'}>
          {hasBacks ? (
            <BacksFields
              settings={settings}
              onChange={setSettings}
              onCalibrate={calibrate}
              calibrating={running}
            />
          ) : (
            <p className={css.hint}>Choose a layout for the backs above, and they are printed too.</p>
          )}
        </Section>
        <Section title="File" hint={splitMb > 0 ? `split at ${splitMb} MB` : 'one PDF'}>
          <FileFields settings={settings} onChange={setSettings} splitMb={splitMb} onSplit={setSplitMb} />
        </Section>
        {running ? (
          <ExportProgressBar work={work} label="Making the PDF" onCancel={cancel} />
        ) : (
          <div className={css.go}>
            <p className={css.count} role="status">
              {printed > 0 && countPapers(papers, printed, settings)}
            </p>
            <Button
              type="submit"
              size="md"
              data-tutorial="export-pdf"
              disabled={!ready}
              leftSection={<FileDown size={18} aria-hidden />}
            >
              Export PDF
            </Button>
            {canChooseFile() && (
              <Button
                variant="subtle"
                disabled={!ready}
                leftSection={<HardDriveDownload size={16} aria-hidden />}
                onClick={() => void run(true)}
              >
                Save to a file…
              </Button>
            )}
          </div>
        )}
        <ExportResult
          work={work}
          summary={({ pages, cards }) =>
            `${pages} ${pages === 1 ? 'page' : 'pages'}, ${cards} ${cards === 1 ? 'card' : 'cards'}`
          }
        />
        <p className={css.hint}>Colours are RGB. Print at 100 %, without “fit to page”.</p>
      </form>
      <PaperPreview planned={planned} settings={settings} comparing={comparing} since={choice.since > 0} />
    </div>
  );
}

function namesOf(projectParts: readonly ProjectPart[], ids: ReadonlySet<string>): string[] {
  return projectParts.flatMap(({ cards, part }) =>
    cards.flatMap((card, index) =>
      ids.has(card.id) ? [cardName(part.cards[index]?.row ?? card, part.columns, index)] : [],
    ),
  );
}

function countPapers(papers: number, cards: number, { page, arrangement }: PrintSettings): string {
  const of = page.size === 'custom' || arrangement === 'single' ? 'paper' : PAGE_SIZES[page.size].name;
  const sheets = papers === 1 ? 'sheet' : 'sheets';
  return `${cards} ${cards === 1 ? 'card' : 'cards'} on ${papers} ${sheets} of ${of}`;
}

/** Chooses the layout of a component's backs. */
export function BackLayoutField({
  value,
  layouts,
  disabled,
  onChange,
}: {
  value: string | null;
  disabled: boolean;
  layouts: readonly { readonly id: string; readonly name: string }[];
  onChange: (layout: string | null) => void;
}) {
  return (
    <NativeSelect
      label="Backs"
      disabled={disabled}
      value={value ?? ''}
      data={[{ value: '', label: 'No back' }, ...layouts.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
