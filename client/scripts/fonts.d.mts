import type { FaceFile, FamilyRecord } from '../src/core/text/fonts/catalogue.ts';

export function buildCatalogue(): { families: unknown[] };
export function buildLibrary(): { families: unknown[] };
export function readFace(face: FaceFile): Promise<Uint8Array>;
export function writeFonts(directory: string): Promise<void>;
export function buildFontPack(): { families: FamilyRecord[] };
export function readPackedFace(face: FaceFile): Uint8Array;
export function writeFontPack(directory: string): void;
