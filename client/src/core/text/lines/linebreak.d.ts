declare module 'linebreak' {
  export interface Break {
    readonly position: number;
    readonly required: boolean;
  }
  /** Unicode line breaking (UAX #14). */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): Break | null;
  }
}
