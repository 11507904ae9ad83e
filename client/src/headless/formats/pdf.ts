import { type Format, partsOf } from '../format.ts';

export const PDF: Format = {
  summary: 'sheets to print',
  ending: ({ splitMb }) => (splitMb === undefined ? 'pdf' : 'zip'),
  named: false,
  updates: false,
  plan(project, { splitMb, dpi }) {
    const maxBytes = splitMb === undefined ? undefined : splitMb * 1e6;
    const settings = { ...project.settings, ...(dpi !== undefined && { rasterDpi: dpi }) };
    return { kind: 'pdf', parts: partsOf(project), settings, maxBytes };
  },
};
