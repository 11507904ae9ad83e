import type { ProjectPart } from '../../../../data/project/project-parts.ts';
import { safeFileName } from '../../../../ui/safe-file-name.ts';
import type { ExportRequest, NamedRequest } from '../../../../workers/export/export-protocol.ts';
import { fittedParts } from '../project-parts.tsx';
import type { MakeRequest } from '../use-export.ts';

/** A language that is exported beside the one that is shown. */
export interface OtherLanguage {
  /** Of the project and its component, with the language. */
  readonly title: string;
  /** Before texts are set alike on all cards of a deck. */
  readonly projectParts: readonly ProjectPart[];
}

/** Languages of one export. */
export interface SeveralLanguages {
  /** Name of the ZIP that holds a file of each language, without its ending. */
  readonly title: string;
  readonly others: readonly OtherLanguage[];
}

/** The file of one language; nothing where there is nothing to make in it. */
export type PlanFile = (
  title: string,
  projectParts: readonly ProjectPart[],
  signal: AbortSignal,
) => NamedRequest | undefined | Promise<NamedRequest | undefined>;

/** A file of the language that is shown, or a ZIP with one of each language. */
export function fileOrFiles(
  shown: NamedRequest | undefined,
  several: SeveralLanguages | undefined,
  plan: PlanFile,
): { readonly name: string; readonly request: ExportRequest | MakeRequest } | undefined {
  if (!several) return shown;
  const request = async (signal: AbortSignal): Promise<ExportRequest> => {
    const files = shown ? [shown] : [];
    for (const { title, projectParts } of several.others) {
      const file = await plan(title, await fittedParts(projectParts, signal), signal);
      signal.throwIfAborted();
      if (file) files.push(file);
    }
    if (files.length === 0) throw new Error('There is nothing to print in any of these languages.');
    return { kind: 'several', files: files.map((one) => ({ ...one, name: safeFileName(one.name) })) };
  };
  return { name: `${several.title}.zip`, request };
}
