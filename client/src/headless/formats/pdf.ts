import type { BoardsSpec } from '../../core/imposition/settings.ts';
import { type ExportSettings, type Format, partsOf } from '../format.ts';

export const PDF: Format = {
  summary: 'sheets to print',
  ending: ({ splitMb }) => (splitMb === undefined ? 'pdf' : 'zip'),
  named: '',
  updates: false,
  plan(project, { splitMb, dpi, boards }) {
    const maxBytes = splitMb === undefined ? undefined : splitMb * 1e6;
    const settings = {
      ...project.settings,
      ...(dpi !== undefined && { rasterDpi: dpi }),
      boards: withOptions(project.settings.boards, boards),
    };
    return { kind: 'pdf', parts: partsOf(project), settings, maxBytes };
  },
};

const withOptions = (
  own: BoardsSpec,
  {
    split = own.split,
    overlap = own.overlap,
    fold = own.fold,
    overview = own.overview,
    crosses = own.crosses,
  }: ExportSettings['boards'] = {},
): BoardsSpec => ({ split, overlap, fold, overview, crosses });
