import { Inflate, strFromU8 } from 'fflate';

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

/** Reason for which a ZIP is not unpacked. */
export type ZipFault = 'no-zip' | 'zip64' | 'too-many-parts';

/** A ZIP that is not unpacked. Whoever asks says in words what the file should have been. */
export class ZipRefused extends Error {
  override readonly name = 'ZipRefused';
  readonly fault: ZipFault;

  constructor(fault: ZipFault) {
    super(`The ZIP is not unpacked: ${fault}.`);
    this.fault = fault;
  }
}

/** A part of a ZIP, as its directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  /** Bytes in the file, and once unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/** The directory of a ZIP: nothing is unpacked for it. @throws ZipRefused */
export function zipDirectory(bytes: Uint8Array, maxParts: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  let end = bytes.length - END_LENGTH;
  while (end >= first && view.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < first) throw new ZipRefused('no-zip');
  const count = view.getUint16(end + 10, true);
  if (count === ZIP64_COUNT) throw new ZipRefused('zip64');
  if (count > maxParts) throw new ZipRefused('too-many-parts');
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_LENGTH > bytes.length || view.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw new ZipRefused('no-zip');
    const nameLength = view.getUint16(at + 28, true);
    const entry: ZipEntry = {
      name: strFromU8(bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    if ([entry.packed, entry.size, entry.at].includes(ZIP64_SIZE)) throw new ZipRefused('zip64');
    entries.push(entry);
    at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The bytes of a part, refused as soon as they are more than the directory says. @throws ZipRefused */
export function unpackEntry(bytes: Uint8Array, { method, packed, size, at }: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + LOCAL_LENGTH > bytes.length || view.getUint32(at, true) !== LOCAL_SIGNATURE)
    throw new ZipRefused('no-zip');
  const start = at + LOCAL_LENGTH + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const body = bytes.subarray(start, start + packed);
  if (body.length !== packed || (method !== STORED && method !== DEFLATED)) throw new ZipRefused('no-zip');
  if (method === STORED) {
    if (packed !== size) throw new ZipRefused('no-zip');
    return body;
  }
  const whole = new Uint8Array(size);
  let filled = 0;
  const inflate = new Inflate((chunk) => {
    if (filled + chunk.length > size) throw new ZipRefused('no-zip');
    whole.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let from = 0; from < body.length; from += CHUNK_BYTES) {
      inflate.push(body.subarray(from, from + CHUNK_BYTES), from + CHUNK_BYTES >= body.length);
    }
  } catch {
    throw new ZipRefused('no-zip');
  }
  if (filled !== size) throw new ZipRefused('no-zip');
  return whole;
}
