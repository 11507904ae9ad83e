import * as z from 'zod';
import { isDeeperThan } from '../json-depth.ts';

/**
 * A save of Tabletop Simulator, as far as it is documented (Berserk Games' knowledge base). Other content of a save is
 * kept as it is. Names are canonical; saves of other tools may write them in another case, which the game accepts too.
 */

const transformSchema = z.looseObject({
  posX: z.number(),
  posY: z.number(),
  posZ: z.number(),
  rotX: z.number(),
  rotY: z.number(),
  rotZ: z.number(),
  scaleX: z.number(),
  scaleY: z.number(),
  scaleZ: z.number(),
});

export const customDeckSchema = z.looseObject({
  FaceURL: z.string(),
  BackURL: z.string(),
  NumWidth: z.number().int().min(1),
  NumHeight: z.number().int().min(1),
  BackIsHidden: z.boolean(),
  UniqueBack: z.boolean(),
  /** 0 rounded rectangle, 1 rectangle, 2 rounded hexagon, 3 hexagon, 4 circle. */
  Type: z.number().int().min(0).max(4).optional(),
});

const guidSchema = z.string().regex(/^[0-9a-f]{6}$/);
const customImageSchema = z.looseObject({
  ImageURL: z.string(),
  ImageSecondaryURL: z.string(),
  CustomTile: z
    .looseObject({
      /** 0 box, 1 hexagon, 2 circle, 3 rounded box. */
      Type: z.number().int().min(0).max(3),
      Thickness: z.number(),
      Stackable: z.boolean(),
      Stretch: z.boolean(),
    })
    .optional(),
  /** 0 to 5: dice of 4, 6, 8, 10, 12 and 20 faces. */
  CustomDice: z.looseObject({ Type: z.number().int().min(0).max(5) }).optional(),
  CustomToken: z
    .looseObject({ Thickness: z.number(), MergeDistancePixels: z.number(), Stackable: z.boolean() })
    .optional(),
});

const vectorSchema = z.looseObject({ x: z.number(), y: z.number(), z: z.number() });
const snapPointSchema = z.looseObject({
  Position: vectorSchema,
  /** Objects turn to it; without one they stay as they are held. */
  Rotation: vectorSchema.optional(),
  Tags: z.array(z.string()).optional(),
});
/** A place that objects jump to. */
export type SnapPoint = z.infer<typeof snapPointSchema>;

const tabStateSchema = z.looseObject({ title: z.string(), body: z.string(), id: z.number().int() });
/** A page of the notebook. */
export type TabState = z.infer<typeof tabStateSchema>;

const common = {
  GUID: guidSchema.optional(),
  Name: z.string(),
  Transform: transformSchema.optional(),
  Nickname: z.string().optional(),
  Description: z.string().optional(),
  GMNotes: z.string().optional(),
  Memo: z.string().optional(),
  Tags: z.array(z.string()).optional(),
  LuaScript: z.string().optional(),
  LuaScriptState: z.string().optional(),
  HideWhenFaceDown: z.boolean().optional(),
  Hands: z.boolean().optional(),
  Locked: z.boolean().optional(),
  SidewaysCard: z.boolean().optional(),
  CardID: z.number().int().min(100).optional(),
  DeckIDs: z.array(z.number().int().min(100)).optional(),
  CustomDeck: z.record(z.string().regex(/^\d{1,9}$/), customDeckSchema).optional(),
  CustomImage: customImageSchema.optional(),
  /** In the object's own units. */
  AttachedSnapPoints: z.array(snapPointSchema).optional(),
  /** Rotations of an object for its values: a die's faces. */
  RotationValues: z.array(z.looseObject({ Rotation: vectorSchema })).optional(),
};

export type CustomDeck = z.infer<typeof customDeckSchema>;
export type Transform = z.infer<typeof transformSchema>;

/** An object on the table; bags and decks hold others. */
export interface TtsObject extends z.infer<z.ZodObject<typeof common, z.core.$loose>> {
  ContainedObjects?: TtsObject[] | undefined;
  States?: Record<string, TtsObject> | undefined;
}

export const objectSchema: z.ZodType<TtsObject> = z.looseObject({
  ...common,
  ContainedObjects: z.array(z.lazy(() => objectSchema)).optional(),
  States: z
    .record(
      z.string(),
      z.lazy(() => objectSchema),
    )
    .optional(),
}) as unknown as z.ZodType<TtsObject>;

export const saveSchema = z.looseObject({
  SaveName: z.string().optional(),
  SnapPoints: z.array(snapPointSchema).optional(),
  TabStates: z.record(z.string(), tabStateSchema).optional(),
  ObjectStates: z.array(objectSchema),
});
export type TtsSave = z.infer<typeof saveSchema>;

/** Largest save that is read: bytes of its file, and UTF-16 units of its text. */
export const MAX_SAVE_LENGTH = 200_000_000;

/** A file that is no readable save; the message is for the designer. */
export class SaveError extends Error {
  override readonly name = 'SaveError';
}

/** Most lists and objects of a save within one another: about a hundred bags in bags. */
const MAX_SAVE_DEPTH = 250;

/** @throws SaveError naming the fault */
export function readSave(text: string): TtsSave {
  if (text.length > MAX_SAVE_LENGTH) throw new SaveError('That file is too large for a save.');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new SaveError('That file is not JSON: choose a save or saved object of Tabletop Simulator.');
  }
  if (isDeeperThan(data, MAX_SAVE_DEPTH)) {
    throw new SaveError(
      'That save has too many bags within one another: take some out in the game, and save again.',
    );
  }
  const result = saveSchema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SaveError(
    `That file is not a save of Tabletop Simulator: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'unknown shape'}.`,
  );
}

/** Every object of a save, those inside of bags and decks and other states too. */
export function walkObjects(save: TtsSave, visit: (object: TtsObject) => void): void {
  const all = (object: TtsObject): void => {
    visit(object);
    for (const child of object.ContainedObjects ?? []) all(child);
    for (const child of Object.values(object.States ?? {})) all(child);
  };
  for (const object of save.ObjectStates) all(object);
}

/** Inconsistencies of a save: card numbers without a sheet, decks that disagree with their cards. */
export function saveFaults(save: TtsSave): string[] {
  const faults: string[] = [];
  const visit = (object: TtsObject, path: string): void => {
    const sheetOf = (id: number): CustomDeck | undefined => object.CustomDeck?.[String(Math.floor(id / 100))];
    const check = (id: number): void => {
      const sheet = sheetOf(id);
      if (!sheet) faults.push(`${path}: card ${id} has no sheet ${Math.floor(id / 100)}`);
      else if (id % 100 >= sheet.NumWidth * sheet.NumHeight) {
        faults.push(`${path}: card ${id} is beyond its sheet of ${sheet.NumWidth} × ${sheet.NumHeight}`);
      }
    };
    if (object.CardID !== undefined) check(object.CardID);
    if (object.DeckIDs) {
      for (const id of object.DeckIDs) check(id);
      const held = object.ContainedObjects?.map(({ CardID }) => CardID);
      if (JSON.stringify(held) !== JSON.stringify(object.DeckIDs)) {
        faults.push(`${path}: DeckIDs and ContainedObjects differ`);
      }
    }
    for (const [index, child] of (object.ContainedObjects ?? []).entries()) visit(child, `${path}.${index}`);
    for (const [state, child] of Object.entries(object.States ?? {})) visit(child, `${path}:${state}`);
  };
  for (const [index, object] of save.ObjectStates.entries()) visit(object, String(index));
  return faults;
}
