import { Inflate, strFromU8 } from 'fflate';
import { WorkbookError } from './workbook-error.ts';

/** Most bytes that a workbook's parts take together once unpacked: some 500,000 cells. */
export const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** Most parts of a workbook: one for each sheet, styles, drawings, and their relations. */
const MAX_PARTS = 2_000;
/** Compressed bytes unpacked at a time; DEFLATE expands them a thousandfold at most. */
const CHUNK_BYTES = 8 * 1024;

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** Longest comment that may follow a ZIP's directory. */
const MAX_COMMENT = 0xffff;
/** In place of a count or a size, these refer to a ZIP64 record elsewhere in the file. */
const ZIP64_COUNT = 0xffff;
const ZIP64_SIZE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

export const UNREADABLE = 'This is no Excel workbook that can be read. Save it again as .xlsx, or as CSV.';
const ZIP64 = 'This workbook is packed as ZIP64. Save it again in a spreadsheet program, or as CSV.';

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/**
 * The XML parts of a workbook. The directory is checked before a byte is unpacked, and a part is refused as soon as it
 * is longer than the directory says.
 * @throws WorkbookError
 */
export function unpackWorkbook(bytes: Uint8Array): Map<string, Uint8Array> {
  const entries = directoryOf(bytes).filter(({ name }) => /\.xml(?:\.rels)?$/i.test(name));
  const declared = entries.reduce((sum, { size }) => sum + size, 0);
  if (declared > MAX_WORKBOOK_BYTES) {
    throw new WorkbookError(
      `This workbook holds ${Math.ceil(declared / 1024 / 1024)} MB of cells; at most ${MAX_WORKBOOK_BYTES / 1024 / 1024} MB fit. Save the sheet you need on its own.`,
    );
  }
  return new Map(entries.map((entry) => [entry.name, inflated(bytes, entry)]));
}

function directoryOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  let end = bytes.length - END_LENGTH;
  while (end >= first && view.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < first) throw new WorkbookError(UNREADABLE);
  const count = view.getUint16(end + 10, true);
  if (count === ZIP64_COUNT) throw new WorkbookError(ZIP64);
  if (count > MAX_PARTS) throw new WorkbookError(`This workbook has more than ${MAX_PARTS} parts.`);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_LENGTH > bytes.length || view.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw new WorkbookError(UNREADABLE);
    const nameLength = view.getUint16(at + 28, true);
    const entry: Entry = {
      name: strFromU8(bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    if ([entry.packed, entry.size, entry.at].includes(ZIP64_SIZE)) throw new WorkbookError(ZIP64);
    entries.push(entry);
    at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function inflated(bytes: Uint8Array, { method, packed, size, at }: Entry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + LOCAL_LENGTH > bytes.length || view.getUint32(at, true) !== LOCAL_SIGNATURE)
    throw new WorkbookError(UNREADABLE);
  const start = at + LOCAL_LENGTH + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const body = bytes.subarray(start, start + packed);
  if (body.length !== packed || (method !== STORED && method !== DEFLATED))
    throw new WorkbookError(UNREADABLE);
  if (method === STORED) {
    if (packed !== size) throw new WorkbookError(UNREADABLE);
    return body;
  }
  const whole = new Uint8Array(size);
  let filled = 0;
  const inflate = new Inflate((chunk) => {
    if (filled + chunk.length > size) throw new WorkbookError(UNREADABLE);
    whole.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let from = 0; from < body.length; from += CHUNK_BYTES) {
      inflate.push(body.subarray(from, from + CHUNK_BYTES), from + CHUNK_BYTES >= body.length);
    }
  } catch {
    throw new WorkbookError(UNREADABLE);
  }
  if (filled !== size) throw new WorkbookError(UNREADABLE);
  return whole;
}
