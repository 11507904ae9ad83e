import type { ComponentType } from 'react';
import type { Project } from '../../../data/project/open-project.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { ImageFilesPanel } from './image-files-panel.tsx';
import type { SeveralLanguages } from './languages/other-languages.ts';
import { PaperPanel } from './paper-panel.tsx';
import { PrintersPanel } from './printers-panel.tsx';
import { TablesPanel } from './tables-panel.tsx';

/** Input of a target's panel. */
export interface TargetProps {
  readonly project: Project;
  readonly title: string;
  readonly projectParts: readonly ProjectPart[];
  /** Further languages of the same export. */
  readonly several?: SeveralLanguages | undefined;
}

export interface ExportTarget {
  /** Part of the address, so that it can be linked to. */
  readonly value: string;
  readonly label: string;
  readonly Panel: ComponentType<TargetProps>;
}

/** The target of an address without one. */
export const PAPER: ExportTarget = { value: 'paper', label: 'Paper', Panel: PaperPanel };

/** Targets of an export, in the order of the page's tabs. See docs/extending.md. */
export const EXPORT_TARGETS: readonly ExportTarget[] = [
  PAPER,
  { value: 'pictures', label: 'Pictures', Panel: ImageFilesPanel },
  { value: 'tables', label: 'Virtual tables', Panel: TablesPanel },
  { value: 'printers', label: 'Printing houses', Panel: PrintersPanel },
];
