import { useEffect, useState } from 'react';
import { chooseFaces, type FontFamily } from '../../core/text/fonts/catalogue.ts';
import { faceUrl } from '../../workers/sources/sources.ts';

/** Families the browser was given, by id; the value settles once it can show them. */
const given = new Map<string, Promise<boolean>>();

/** Name by which styles reach a family given for previews. */
export const previewName = (family: FontFamily): string => `preview ${family.id}`;

function give(family: FontFamily): Promise<boolean> {
  const known = given.get(family.id);
  if (known) return known;
  const files = chooseFaces(family, 400, false).files;
  // Names of families are written in Latin letters; the rest of the characters need not be fetched.
  const latin =
    files.find(({ ranges }) => ranges.some(([from, to]) => from <= 0x41 && to >= 0x41)) ?? files[0];
  const loading = latin
    ? new FontFace(previewName(family), `url("${faceUrl(latin)}")`).load().then(
        (face) => {
          document.fonts.add(face);
          return true;
        },
        () => false,
      )
    : Promise.resolve(false);
  given.set(family.id, loading);
  return loading;
}

/** True once text can be shown in the family, which is fetched when `wanted`. */
export function usePreviewFace(family: FontFamily | undefined, wanted: boolean): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!family || !wanted) return;
    let current = true;
    void give(family).then((loaded) => {
      if (current) setShown(loaded);
    });
    return () => {
      current = false;
    };
  }, [family, wanted]);
  return shown;
}
