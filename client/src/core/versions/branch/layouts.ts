import type { Json, JsonObject } from '../../archive/bundle.ts';
import { layoutDifferences } from '../../scene/changes/diff.ts';
import { sameDocument } from '../../scene/changes/same-document.ts';
import { type Layout, layoutSchema } from '../../scene/layout.ts';
import { recordAt, recordsAt, type StoredChange, textAt } from '../stored-change.ts';
import type { BranchChange } from './change.ts';

const sceneOf = (fields: JsonObject | null): Layout | undefined =>
  fields ? layoutSchema.safeParse(recordAt(fields, 'scene')).data : undefined;

const withFontsOf = ({ fonts }: Layout, { fonts: _, ...layout }: Layout): Layout =>
  fonts ? { ...layout, fonts } : layout;

/** Zones that differ, in words; fonts lie in a project's own folder, so that their addresses always differ. */
const zonesOf = (before: Layout, after: Layout): string =>
  layoutDifferences(before, withFontsOf(before, after))
    .map(({ name }) => name)
    .join(', ');

/** A scene of the branch with the fonts that the project has; fonts that only the branch has stay, to be copied. */
function withKnownFonts(scene: JsonObject, today: JsonObject): JsonObject {
  const { fonts: _, ...rest } = scene;
  const known = recordsAt(today, 'fonts');
  const families = new Set(known.map((font) => textAt(font, 'family')));
  const more = recordsAt(scene, 'fonts').filter((font) => !families.has(textAt(font, 'family')));
  const fonts: Json[] = [...known, ...more];
  return fonts.length > 0 ? { ...rest, fonts } : rest;
}

/** Key of the change of a layout. */
export const keyOfLayout = (id: string): string => `layout ${id}`;

/**
 * Changes of a branch on one layout.
 * @param renewed names of layouts that the branch has under new ids
 * @param left gets what cannot be brought back, in words
 */
export function changedLayout(
  id: string,
  { before, after }: StoredChange,
  mine: JsonObject | null,
  renewed: ReadonlySet<string>,
  left: string[],
): BranchChange[] {
  const [base, theirs, now] = [sceneOf(before), sceneOf(after), sceneOf(mine)];
  const name = textAt(after ?? before, 'name') || 'A layout';
  const common = { key: keyOfLayout(id), group: 'Layouts', name };
  if (!after) {
    if (!before || !mine) return [];
    // Branches of before gave their layouts new ids.
    if (renewed.has(textAt(before, 'name'))) {
      left.push(`The layout ${name}: the branch has another one of that name, so it stays in the project.`);
      return [];
    }
    const same = sameDocument(recordAt(before, 'scene'), recordAt(mine, 'scene'));
    const today = same ? '' : base && now ? zonesOf(base, now) : 'it cannot be read';
    return [
      {
        ...{ ...common, what: 'Deleted layout', base: '', theirs: undefined, mine: today },
        ...{
          conflict: today !== '',
          act: { kind: 'removeLayout', layout: id, was: recordAt(mine, 'scene') },
        },
      },
    ];
  }
  if (!theirs) {
    left.push(`The layout ${name} cannot be read in the branch.`);
    return [];
  }
  if (!mine) {
    const changed = base ? zonesOf(base, theirs) : '';
    if (base && changed === '') return [];
    return [
      {
        ...{ ...common, what: base ? 'Changed here, gone from the project' : 'New layout' },
        ...{
          base: base ? '' : undefined,
          theirs: base ? changed : '',
          mine: undefined,
          conflict: base !== undefined,
        },
        act: { kind: 'newLayout', layout: id, value: after },
      },
    ];
  }
  // A layout that the version did not have was brought back before, and went on.
  const began = base ?? now;
  if (!began || !now) {
    left.push(`The layout ${name} cannot be read in the project.`);
    return [];
  }
  const differs = zonesOf(began, theirs);
  if (differs === '' || zonesOf(now, theirs) === '') return [];
  const today = base ? zonesOf(base, now) : differs;
  return [
    {
      ...{ ...common, what: 'Layout', base: '', theirs: differs, mine: today, conflict: today !== '' },
      act: {
        ...{ kind: 'layout', layout: id, was: recordAt(mine, 'scene') },
        scene: withKnownFonts(recordAt(after, 'scene'), recordAt(mine, 'scene')),
      },
    },
  ];
}
