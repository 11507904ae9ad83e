import { zipSync } from 'fflate';
import { unpackEntry, type ZipFault, ZipRefused, zipDirectory } from '../../limited-zip.ts';
import { RulebookError } from '../document/error.ts';
import { MAX_DOCX_BYTES } from './limits.ts';

/** Most pictures of a document. */
export const MAX_DOCX_PICTURES = 200;
/** Most parts: a document has some twenty, and one for each picture. */
const MAX_PARTS = 2_000;

const MEGABYTES = MAX_DOCX_BYTES / 1024 / 1024;
const SAVE = 'Open it in your text program and save it as a Word document (.docx).';
const FAULTS: Readonly<Record<ZipFault, string>> = {
  'no-zip': `It is damaged, or not a Word document. ${SAVE}`,
  zip64: `It is packed as ZIP64. ${SAVE}`,
  'too-many-parts': `It has more than ${MAX_PARTS} parts. ${SAVE}`,
};

/** The parts of a document, packed again without compression, and the files in it that a rulebook has no use for. */
export interface UnpackedDocx {
  /** A ZIP of no more bytes than were counted. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Every part, by its name. */
  readonly names: readonly string[];
  text(name: string): string;
}

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** Name of the stream of a protected document, as compound files write it. */
const ENCRYPTED = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0]);

function holds(bytes: Uint8Array, wanted: readonly number[]): boolean {
  for (let at = bytes.indexOf(wanted[0] ?? 0); at >= 0; at = bytes.indexOf(wanted[0] ?? 0, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true;
  }
  return false;
}

/** The reason for which a file is no ZIP of a Word document, by its first bytes. */
function otherKind(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return `The file is empty. ${SAVE}`;
  if (bytes.length > MAX_DOCX_BYTES) {
    return `The file has more than ${MEGABYTES} MB. Make its pictures smaller, or divide it.`;
  }
  if ([0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte)) {
    return holds(bytes, ENCRYPTED)
      ? 'It is protected by a password. Open it in Word, remove the password, and save it again.'
      : 'It is a Word document of the older kind (.doc). Open it in Word and save it as .docx.';
  }
  if (ascii(bytes, 0, 5) === '{\\rtf') return `It is rich text (RTF). ${SAVE}`;
  if (ascii(bytes, 0, 5) === '%PDF-') return `It is a PDF. ${SAVE}`;
  if (ascii(bytes, 0, 2) !== 'PK') return `It is not a Word document. ${SAVE}`;
  return undefined;
}

/** Other files that are ZIPs, by a part that they have. */
const OTHERS: readonly (readonly [part: RegExp, what: string])[] = [
  [/^xl\//, 'It is an Excel workbook. Bring its rows into a component of the project instead.'],
  [/^ppt\//, 'It is a presentation. Copy its text into a Word document.'],
  [/^mimetype$/, `It is a document of LibreOffice or an e-book. ${SAVE}`],
  [/^Index\//, `It is a document of Pages. ${SAVE}`],
];

const isXml = (name: string): boolean => /\.(?:xml|rels)$/i.test(name);
const isMedia = (name: string): boolean => /^word\/media\/[^/]+$/i.test(name);

/**
 * The parts of a Word document. All is counted in the directory before a byte is unpacked.
 * @throws RulebookError saying what the file is instead, and what to do
 */
export function unpackDocx(bytes: Uint8Array): UnpackedDocx {
  const other = otherKind(bytes);
  if (other !== undefined) throw new RulebookError(other);
  try {
    const entries = zipDirectory(bytes, MAX_PARTS);
    const names = entries.map(({ name }) => name);
    if (!names.includes('[Content_Types].xml') || !names.some((name) => /^word\/.+\.xml$/i.test(name))) {
      const known = OTHERS.find(([part]) => names.some((name) => part.test(name)));
      throw new RulebookError(known?.[1] ?? `It is a ZIP without a Word document in it. ${SAVE}`);
    }
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    if (size > MAX_DOCX_BYTES) {
      throw new RulebookError(
        `Unpacked, it has ${Math.ceil(size / 1024 / 1024)} MB; the limit is ${MEGABYTES} MB. Make its pictures smaller, or divide it.`,
      );
    }
    const pictures = names.filter(isMedia).length;
    if (pictures > MAX_DOCX_PICTURES) {
      throw new RulebookError(
        `It has ${pictures} pictures; the limit is ${MAX_DOCX_PICTURES}. Divide it into several documents.`,
      );
    }
    const kept = entries.filter(({ name }) => isXml(name) || isMedia(name));
    const parts = new Map(kept.map((entry) => [entry.name, unpackEntry(bytes, entry)]));
    return {
      bytes: zipSync(Object.fromEntries(parts), { level: 0 }),
      names,
      text: (name) => new TextDecoder().decode(parts.get(name) ?? new Uint8Array()),
    };
  } catch (error) {
    throw error instanceof ZipRefused ? new RulebookError(FAULTS[error.fault]) : error;
  }
}
