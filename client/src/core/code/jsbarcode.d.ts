declare module 'jsbarcode' {
  interface Options {
    readonly format: string;
    readonly displayValue?: boolean;
    readonly flat?: boolean;
    readonly valid?: (valid: boolean) => void;
  }
  interface Encoding {
    /** `1` for a bar, `0` for a gap, one module each. */
    readonly data: string;
  }
  export default function JsBarcode(
    target: { encodings?: Encoding[] },
    text: string,
    options: Options,
  ): unknown;
}
