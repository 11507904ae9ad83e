import type { LibraryImage } from '../../core/images/library.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Finding, Look } from '../../core/table/preflight.ts';

export type PreflightMethods = {
  check: {
    argument: {
      readonly looks: readonly Look[];
      readonly rows: readonly Row[];
      readonly columns: readonly Column[];
      readonly library: readonly LibraryImage[];
    };
    result: readonly Finding[];
    /** Cards checked so far. */
    progress: number;
  };
};
