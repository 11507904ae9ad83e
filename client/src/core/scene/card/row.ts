/** A column of a component's table. */
export interface Column {
  readonly key: string;
  readonly name: string;
}

/** One card's values by column key. A missing key is an empty cell. */
export interface Row {
  readonly cells: Readonly<Record<string, string>>;
  /** Cells as they are printed in another language, by column key. Formulas go on seeing `cells`. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  /**
   * Cells in every language of the project, by its tag and the column's key, for formulas that name one. Only cards whose
   * layouts have such formulas carry them.
   */
  readonly languages?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Place in the table, the first is 1; formulas call it `index`. */
  readonly index?: number;
  /** Rows of the table; formulas call it `count`. */
  readonly count?: number;
}

/** The cells as texts print them: translated where there is a translation. */
export const printedCells = ({ cells, words }: Row): Readonly<Record<string, string>> =>
  words ? { ...cells, ...words } : cells;

/** Row of a layout shown without a table. */
export const EMPTY_ROW: Row = { cells: {} };
