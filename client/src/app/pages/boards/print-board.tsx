import { Button, NativeSelect } from '@mantine/core';
import { ArrowLeft, FileDown, Image } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { safeName } from '../../../core/imposition/images/file-names.ts';
import { cardPainting } from '../../../core/imposition/images/image-files.ts';
import { tooLargeFor } from '../../../core/imposition/images/painting.ts';
import { imposeParts, type PrintPart } from '../../../core/imposition/job/print-job.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../../../core/imposition/settings.ts';
import type { SheetPlan } from '../../../core/imposition/sheets/sheet.ts';
import { EMPTY_ROW } from '../../../core/scene/card/row.ts';
import { isolated } from '../../../core/text/names.ts';
import type { Draft } from '../../../data/boards/drafts.ts';
import { useDraft } from '../../../data/boards/use-drafts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { saveFile } from '../../../ui/download.ts';
import { Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { sharedRenderer } from '../../painting/renderer.ts';
import { BoardsFields } from '../print/boards-fields.tsx';
import { ExportProgressBar, ExportResult } from '../print/export-result.tsx';
import { Section } from '../print/fields.tsx';
import { MarksFields, PageFields } from '../print/paper-fields.tsx';
import print from '../print/print.module.css';
import { SheetPreview } from '../print/sheet-preview.tsx';
import { useExport } from '../print/use-export.ts';
import { boardSize } from './board-tile.tsx';
import { BoardsFrame } from './boards-frame.tsx';
import { draftAddress } from './draft-address.ts';
import { MissingDraft } from './missing-draft.tsx';

/** `/boards/print/{id}`: a board of this browser as a PDF for a printer at home, or as a picture. */
export function Component() {
  const { id = '' } = useParams();
  return (
    <BoardsFrame>
      <PrintPage id={id} />
    </BoardsFrame>
  );
}

function PrintPage({ id }: { id: string }) {
  const { data, error } = useDraft(id);
  if (data === null) return <MissingDraft />;
  return (
    <Page
      title={data ? `Print ${isolated(data.scene.name) || 'a board'}` : 'Print a board'}
      lead={data && boardSize(data.scene)}
      above={
        <Link to={draftAddress(id)}>
          <ArrowLeft size={15} aria-hidden /> Back to the board
        </Link>
      }
    >
      {error && <Problem title={describeError(error)} />}
      {!data && !error && (
        <>
          <Loading label="Loading board" />
          <Placeholder height={480} radius={16} />
        </>
      )}
      {data && <PrintForm key={id} draft={data} />}
    </Page>
  );
}

/** A plan of the sheets, or why there is none. */
function planned(part: PrintPart, settings: PrintSettings): { plan?: SheetPlan; problem?: string } {
  try {
    const [plan] = imposeParts([part], settings);
    return plan ? { plan } : {};
  } catch (error) {
    return { problem: describeError(error) };
  }
}

function PrintForm({ draft: { scene, fold } }: { draft: Draft }) {
  const [settings, setSettings] = useState<PrintSettings>({
    ...DEFAULT_PRINT_SETTINGS,
    boards: { ...DEFAULT_PRINT_SETTINGS.boards, fold },
  });
  const name = scene.name || 'board';
  const part = useMemo(
    (): PrintPart => ({
      name,
      layout: scene,
      back: null,
      columns: [],
      boards: true,
      cards: [{ row: EMPTY_ROW, copies: 1 }],
    }),
    [scene, name],
  );
  const { plan, problem } = useMemo(() => planned(part, settings), [part, settings]);
  const sheets = useMemo(() => plan?.sheets.map((sheet) => ({ part, plan, sheet })) ?? [], [part, plan]);
  const { work, start, cancel } = useExport();
  const running = work.at === 'running';
  return (
    <div className={print.columns}>
      <form
        className={print.options}
        onSubmit={(event) => {
          event.preventDefault();
          void start({ kind: 'pdf', parts: [part], settings, title: name, fileName: name }, `${name}.pdf`);
        }}
      >
        <PageFields settings={settings} onChange={setSettings} />
        {settings.arrangement === 'sheets' && (
          <>
            <BoardsFields settings={settings} onChange={setSettings} plans={plan ? [{ name, plan }] : []} />
            <MarksFields settings={settings} onChange={setSettings} />
          </>
        )}
        {running ? (
          <ExportProgressBar work={work} label="Making the PDF" onCancel={cancel} />
        ) : (
          <Button type="submit" size="md" disabled={!plan} leftSection={<FileDown size={18} aria-hidden />}>
            Export PDF
          </Button>
        )}
        <ExportResult work={work} summary={({ pages }) => `${pages} ${pages === 1 ? 'page' : 'pages'}`} />
        <p className={print.hint}>Print at 100 %, without “fit to page”.</p>
        <PictureFields part={part} name={name} />
      </form>
      <div className={print.preview}>
        {problem && <Problem title={problem} />}
        {sheets.length > 0 && <SheetPreview sheets={sheets} settings={settings} />}
      </div>
    </div>
  );
}

/** Resolutions of a picture, in dots per inch. */
const RESOLUTIONS = [96, 150, 300];

/** The whole board as one PNG. */
function PictureFields({ part, name }: { part: PrintPart; name: string }) {
  const [dpi, setDpi] = useState(150);
  const [busy, setBusy] = useState(false);
  const painting = useMemo(
    () => cardPainting(part, EMPTY_ROW, { dpi, bleed: 0, clipToTrim: true, opaque: false }),
    [part, dpi],
  );
  const type = 'image/png' as const;
  const tooLarge = tooLargeFor(type, painting.width, painting.height);
  const save = async () => {
    setBusy(true);
    try {
      const { bytes } = await sharedRenderer().encodePainting(painting, { type, quality: 1, dpi });
      saveFile(`${safeName(name)}.png`, new Blob([bytes as BlobPart], { type }));
    } catch (error) {
      toasts.show(`The picture could not be made: ${describeError(error)}`, {
        type: 'error',
        autoCloseTime: 8_000,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title="As a picture" hint="PNG">
      <NativeSelect
        label="Resolution"
        description={`${painting.width} × ${painting.height} pixels`}
        value={String(dpi)}
        data={RESOLUTIONS.map((one) => ({ value: String(one), label: `${one} dots per inch` }))}
        onChange={(event) => setDpi(Number(event.currentTarget.value))}
      />
      {tooLarge && <p className={print.hint}>{tooLarge}</p>}
      <Button
        variant="default"
        loading={busy}
        disabled={tooLarge !== undefined}
        leftSection={<Image size={16} aria-hidden />}
        onClick={() => void save()}
      >
        Export PNG
      </Button>
    </Section>
  );
}
