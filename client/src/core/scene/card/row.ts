/** A column of a component's table. */
export interface Column {
  readonly key: string;
  readonly name: string;
}

/** One card's values by column key. A missing key is an empty cell. */
export interface Row {
  readonly cells: Readonly<Record<string, string>>;
  /** Place in the table, the first is 1; formulas call it `index`. */
  readonly index?: number;
  /** Rows of the table; formulas call it `count`. */
  readonly count?: number;
}

/** Row of a layout shown without a table. */
export const EMPTY_ROW: Row = { cells: {} };
