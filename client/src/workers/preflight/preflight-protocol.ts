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
      /** True if the smallest text of each card that was shrunk is told as well. */
      readonly sizes?: boolean | undefined;
    };
    result: readonly Finding[];
    /** Cards checked so far. */
    progress: number;
  };
};
