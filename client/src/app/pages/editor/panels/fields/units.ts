import { cssPxToMm, inchToMm, mmToInch, mmToPt, ptToMm } from '../../../../../core/units.ts';
import type { LengthUnit } from '../../state/editor-store.ts';

/** Format and parser of lengths in each unit. */
export const UNITS: Readonly<
  Record<
    LengthUnit,
    {
      readonly name: string;
      readonly step: number;
      readonly decimals: number;
      fromMm(mm: number): number;
      toMm(value: number): number;
    }
  >
> = {
  mm: { name: 'Millimetres', step: 0.5, decimals: 3, fromMm: (mm) => mm, toMm: (value) => value },
  in: { name: 'Inches', step: 0.0625, decimals: 4, fromMm: mmToInch, toMm: inchToMm },
  pt: { name: 'Points', step: 1, decimals: 2, fromMm: mmToPt, toMm: ptToMm },
  px: {
    name: 'Pixels (96 an inch)',
    step: 1,
    decimals: 2,
    fromMm: (mm) => mmToInch(mm) * 96,
    toMm: cssPxToMm,
  },
};

/** A length as people read it: no more decimals than say something. */
export function lengthText(mm: number, unit: LengthUnit): string {
  const { fromMm, decimals } = UNITS[unit];
  return String(Number(fromMm(mm).toFixed(Math.min(decimals, 2))));
}
