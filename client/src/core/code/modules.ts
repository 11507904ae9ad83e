import JsBarcode from 'jsbarcode';
import qrcode from 'qrcode-generator';
import type { CodeZone } from '../scene/zones/code.ts';

/** Dark modules of a code: a square for QR, one row for bars. */
export interface Modules {
  readonly cols: number;
  readonly rows: number;
  isDark(col: number, row: number): boolean;
}

export type ModulesResult =
  | { readonly ok: true; readonly modules: Modules }
  /** Names the requirement of the symbology. */
  | { readonly ok: false; readonly message: string };

type Symbology = CodeZone['symbology'];

const FORMATS: Readonly<
  Record<Exclude<Symbology, 'qr'>, { readonly format: string; readonly wants: string }>
> = {
  code128: { format: 'CODE128', wants: 'letters, digits and signs of ASCII' },
  code39: { format: 'CODE39', wants: 'capitals, digits and - . $ / + %' },
  ean13: { format: 'EAN13', wants: '12 digits, or 13 with the right check digit' },
  ean8: { format: 'EAN8', wants: '7 digits, or 8 with the right check digit' },
  upc: { format: 'UPC', wants: '11 digits, or 12 with the right check digit' },
  itf14: { format: 'ITF14', wants: '13 digits, or 14 with the right check digit' },
};

/** Cached codes; a full cache is emptied. */
const MAX_REMEMBERED = 500;
const remembered = new Map<string, ModulesResult>();

/** Encodes a text. Never throws: text that the symbology cannot hold returns a message. */
export function modulesOf(
  symbology: Symbology,
  text: string,
  correction: CodeZone['correction'],
): ModulesResult {
  const key = `${symbology} ${correction} ${text}`;
  const known = remembered.get(key);
  if (known) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const result = symbology === 'qr' ? qrModules(text, correction) : barModules(symbology, text);
  remembered.set(key, result);
  return result;
}

function qrModules(text: string, correction: CodeZone['correction']): ModulesResult {
  try {
    // Type 0 takes the smallest square that holds the text. Its characters must be UTF-8 bytes.
    const code = qrcode(0, correction);
    code.addData(String.fromCharCode(...new TextEncoder().encode(text)), 'Byte');
    code.make();
    const side = code.getModuleCount();
    return { ok: true, modules: { cols: side, rows: side, isDark: (col, row) => code.isDark(row, col) } };
  } catch {
    return {
      ok: false,
      message: 'The text is too long for a QR code: shorten it or choose a lower correction.',
    };
  }
}

function barModules(symbology: Exclude<Symbology, 'qr'>, text: string): ModulesResult {
  const { format, wants } = FORMATS[symbology];
  const target: { encodings?: { data: string }[] } = {};
  let valid = false;
  try {
    JsBarcode(target, text, {
      format,
      flat: true,
      valid: (answer) => {
        valid = answer;
      },
    });
  } catch {
    valid = false;
  }
  const bars = target.encodings?.map(({ data }) => data).join('') ?? '';
  if (!valid || bars === '') {
    const shown = text.length > 30 ? `${text.slice(0, 29)}…` : text;
    return { ok: false, message: `«${shown}» is no ${format} code: it wants ${wants}.` };
  }
  return { ok: true, modules: { cols: bars.length, rows: 1, isDark: (col) => bars[col] === '1' } };
}
