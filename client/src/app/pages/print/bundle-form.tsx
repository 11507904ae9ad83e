import { Button } from '@mantine/core';
import { FileArchive, HardDriveDownload } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BundleEntry } from '../../../core/imposition/images/painting.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Problem } from '../../../ui/page/page.tsx';
import type { NamedRequest } from '../../../workers/export/export-protocol.ts';
import { ExportProgressBar, ExportResult, fileSize } from './export-result.tsx';
import { fileOrFiles, type SeveralLanguages } from './languages/other-languages.ts';
import { FileList, PaintingPreview } from './painting-preview.tsx';
import css from './print.module.css';
import { canChooseFile, type Exporting } from './use-export.ts';

/** Plan of the bundle, or the reason why there is none. */
export interface PlannedBundle {
  readonly entries: readonly BundleEntry[];
  readonly problem?: string;
}

/** The plan of a bundle that `entries` makes, or why it makes none. */
export function plannedBundle(entries: () => readonly BundleEntry[]): PlannedBundle {
  try {
    return { entries: entries() };
  } catch (error) {
    return { entries: [], problem: describeError(error) };
  }
}

/** A bundle with the name of its file. */
export interface BundleFile {
  readonly planned: PlannedBundle;
  readonly fileName: string;
}

/** @throws Error with the reason why there is no plan */
function bundleFile({ planned, fileName }: BundleFile): NamedRequest | undefined {
  if (planned.problem !== undefined) throw new Error(planned.problem);
  if (planned.entries.length === 0) return undefined;
  return { name: fileName, request: { kind: 'bundle', entries: planned.entries } };
}

type PaintingEntry = Extract<BundleEntry, { kind: 'painting' }>;

const showsRow = ({ painting }: PaintingEntry): boolean =>
  painting.items.some(({ row }) => Object.keys(row.cells).length > 0);

/** Options on the left, what they make on the right, and the button that makes a ZIP of it. */
export function BundleForm({
  planned,
  fileName,
  action,
  several,
  planIn,
  exporting,
  note,
  aside,
  preview = true,
  children,
}: {
  planned: PlannedBundle;
  fileName: string;
  /** Words of the button. */
  action: string;
  /** Further languages of the same export. */
  several: SeveralLanguages | undefined;
  /** The bundle of another language. */
  planIn: (title: string, projectParts: readonly ProjectPart[]) => BundleFile;
  exporting: Exporting;
  note?: ReactNode;
  /** Above the preview, such as what a check found. */
  aside?: ReactNode;
  /** Left out where `aside` shows a picture of its own. */
  preview?: boolean;
  children: ReactNode;
}) {
  const { work, start, cancel } = exporting;
  const paintings = planned.entries.filter((entry) => entry.kind === 'painting');
  // A front says more than a back that is the same for all cards.
  const shown = paintings.find(showsRow) ?? paintings[0];
  const ready = planned.entries.length > 0;
  const run = (toDisk: boolean) => {
    const file = fileOrFiles(bundleFile({ planned, fileName }), several, (title, parts) =>
      bundleFile(planIn(title, parts)),
    );
    if (file) void start(file.request, file.name, toDisk);
  };
  return (
    <div className={css.columns}>
      <form
        className={css.options}
        onSubmit={(event) => {
          event.preventDefault();
          run(false);
        }}
      >
        {children}
        {work.at === 'running' ? (
          <ExportProgressBar work={work} label={action} onCancel={cancel} />
        ) : (
          <div className={css.go}>
            <p className={css.count} role="status">
              {ready && `${paintings.length} ${paintings.length === 1 ? 'picture' : 'pictures'} in one ZIP`}
            </p>
            <Button
              type="submit"
              size="md"
              disabled={!ready}
              leftSection={<FileArchive size={18} aria-hidden />}
            >
              {action}
            </Button>
            {canChooseFile() && (
              <Button
                variant="subtle"
                disabled={!ready}
                leftSection={<HardDriveDownload size={16} aria-hidden />}
                onClick={() => run(true)}
              >
                Save to a file…
              </Button>
            )}
          </div>
        )}
        <ExportResult
          work={work}
          summary={({ pages, bytes }) => `${pages} ${pages === 1 ? 'file' : 'files'}, ${fileSize(bytes)}`}
        />
        {note && <p className={css.hint}>{note}</p>}
      </form>
      <div className={css.preview}>
        {planned.problem && <Problem title={planned.problem} />}
        {!planned.problem && !ready && (
          <EmptyState icon={<FileArchive size={26} />} title="Every card has 0 copies">
            Nothing would be made. Give cards copies in the list.
          </EmptyState>
        )}
        {aside}
        {preview && shown && <PaintingPreview painting={shown.painting} caption={shown.name} />}
        <FileList names={planned.entries.map(({ name }) => name)} />
      </div>
    </div>
  );
}
