import * as z from 'zod';

/**
 * The documented format of a save of Tabletop Simulator, for strict checks: every key must be one that the game
 * documents (Berserk Games' knowledge base, “Save File Format”, and its scripting reference on tags, memos and rotation
 * values), every object must have what objects of its name need, and nothing else may be there. The application reads
 * saves with the laxer `core/tabletop/save.ts`: saves of people hold more than this.
 */

const number = z.number().refine(Number.isFinite, 'a finite number');
const address = z.url({ protocol: /^https?$/ });
/** Empty for objects without an image on their other side. */
const otherAddress = z.union([address, z.literal('')]);
const vector = z.strictObject({ x: number, y: number, z: number });
const colour = z.strictObject({
  r: z.number().min(0).max(1),
  g: z.number().min(0).max(1),
  b: z.number().min(0).max(1),
});

const transform = z.strictObject({
  posX: number,
  posY: number,
  posZ: number,
  rotX: number,
  rotY: number,
  rotZ: number,
  scaleX: z.number().positive(),
  scaleY: z.number().positive(),
  scaleZ: z.number().positive(),
});

/** Fields common to all objects. */
const common = {
  GUID: z.string().regex(/^[0-9a-f]{6}$/),
  Transform: transform,
  Nickname: z.string().optional(),
  Description: z.string().optional(),
  GMNotes: z.string().optional(),
  Memo: z.string().optional(),
  Tags: z.array(z.string().min(1)).optional(),
  LuaScript: z.string().optional(),
  LuaScriptState: z.string().optional(),
  Locked: z.boolean().optional(),
  HideWhenFaceDown: z.boolean().optional(),
  Hands: z.boolean().optional(),
};

const customDeck = z.strictObject({
  FaceURL: address,
  BackURL: address,
  NumWidth: z.number().int().min(1).max(10),
  NumHeight: z.number().int().min(1).max(7),
  BackIsHidden: z.boolean(),
  UniqueBack: z.boolean(),
  /** The shapes of cards, 0 to 4. */
  Type: z.number().int().min(0).max(4),
});
const decks = z.record(z.string().regex(/^[1-9]\d*$/), customDeck);
/** Number of a sheet, and two digits for the place on it. */
const cardId = z.number().int().min(100);

const cardKeys = { ...common, SidewaysCard: z.boolean().optional(), CardID: cardId, CustomDeck: decks };
const image = { ImageURL: address, ImageSecondaryURL: otherAddress, WidthScale: number };

const card = z.strictObject({ Name: z.literal('Card'), ...cardKeys });
const loneCard = z.strictObject({ Name: z.literal('CardCustom'), ...cardKeys });
const deck = z.strictObject({
  Name: z.literal('DeckCustom'),
  ...common,
  SidewaysCard: z.boolean().optional(),
  /** The game does not accept a deck of one card. */
  DeckIDs: z.array(cardId).min(2),
  CustomDeck: decks,
  ContainedObjects: z.array(z.union([card, loneCard])).min(2),
});
const token = z.strictObject({
  Name: z.literal('Custom_Token'),
  ...common,
  CustomImage: z.strictObject({
    ...image,
    CustomToken: z.strictObject({
      Thickness: z.number().positive(),
      MergeDistancePixels: z.number().positive(),
      Stackable: z.boolean(),
    }),
  }),
});
const tile = z.strictObject({
  Name: z.literal('Custom_Tile'),
  ...common,
  CustomImage: z.strictObject({
    ...image,
    CustomTile: z.strictObject({
      /** Box, hexagon, circle, rounded box. */
      Type: z.number().int().min(0).max(3),
      Thickness: z.number().positive(),
      Stackable: z.boolean(),
      Stretch: z.boolean(),
    }),
  }),
});
const board = z.strictObject({
  Name: z.literal('Custom_Board'),
  ...common,
  CustomImage: z.strictObject(image),
});
const figurine = z.strictObject({
  Name: z.literal('Figurine_Custom'),
  ...common,
  CustomImage: z.strictObject(image),
});
const die = z.strictObject({
  Name: z.literal('Custom_Dice'),
  ...common,
  CustomImage: z.strictObject({
    ...image,
    /** Of 4, 6, 8, 10, 12 and 20 faces. */
    CustomDice: z.strictObject({ Type: z.number().int().min(0).max(5) }),
  }),
  RotationValues: z.array(z.strictObject({ Value: z.union([z.string(), number]), Rotation: vector })).min(4),
});

const documentedSave = z.strictObject({
  SaveName: z.string(),
  GameMode: z.string(),
  Note: z.string(),
  Rules: z.string(),
  LuaScript: z.string(),
  LuaScriptState: z.string(),
  XmlUI: z.string(),
  SnapPoints: z.array(z.strictObject({ Position: vector, Rotation: vector.optional() })).optional(),
  TabStates: z.record(
    z.string().regex(/^\d+$/),
    z.strictObject({
      title: z.string(),
      body: z.string(),
      color: z.string(),
      visibleColor: colour,
      id: z.number().int().min(0),
    }),
  ),
  ObjectStates: z.array(z.discriminatedUnion('Name', [loneCard, deck, token, tile, board, figurine, die])),
});

/** Undocumented parts of a save, with the place of each; empty when there are none. */
export function undocumented(save: unknown): string[] {
  const { error } = documentedSave.safeParse(JSON.parse(JSON.stringify(save)));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
