import { expect, test } from 'vitest';
import type { ContainerKind, Policy, Shown } from '../protocol/messages.ts';
import { bitsOf, placesOf, seatsIn, sightOf, sightsOf, usualSight, withSight } from './places.ts';

const seat = (name: string) => ({ name, colour: 0, role: 'player' as const, taken: true, agrees: false });
const SEATS = { '0': seat('Ann'), '1': seat('Ben'), '2': seat('Cyd') };
const viewOf = (
  pieces: Readonly<Record<string, Shown>>,
  rights: object = {},
  more: object = {},
  seats: object = SEATS,
) => ({
  pieces: new Map(Object.entries(pieces)),
  faces: new Map(),
  backs: new Map(),
  table: { seats, settings: { rights: { move_all: true, take: true, ...rights }, ...more } } as never,
});
const placed = (kind: ContainerKind, policy: Policy = usualSight(kind), owner?: number): Shown => ({
  x: 0,
  y: 0,
  z: 0,
  name: 'It',
  container: { kind, arrangement: 'free', policy, size: [0, 0], ...(owner !== undefined && { owner }) },
});
const only = (shown: Shown, rights = {}, more = {}) => {
  const [, place] = placesOf(viewOf({ it: shown }, rights, more));
  if (!place) throw new Error('no place');
  return place;
};

test('the usual places are said in words', () => {
  expect(only(placed('stack')).sees).toBe('Everybody sees its top piece as it lies, and how many there are.');
  expect(only(placed('bag')).sees).toBe('Everybody sees how many pieces it has.');
  expect(only(placed('zone')).sees).toBe('Everybody sees what lies there as it lies.');
  const hand = only(placed('hand', undefined, 1));
  expect(hand.name).toBe('Hand of Ben');
  expect(hand.sees).toBe(
    'Only Ben sees the faces of what lies there; all others see how many pieces lie there.',
  );
  expect(hand.moves).toBe(
    'Only Ben moves its cards. All players may take one by chance, unseen until they have it.',
  );
  expect(hand.looksThrough).toBe('Nobody looks into it, not even hosts.');
  expect(only(placed('hand', undefined, 1), { take: false }).moves).toMatch(/Hosts may take one/);
  expect(only(placed('hand', undefined, 1), {}, { designer_view: true }).looksThrough).toMatch(
    /^The host may look/,
  );
  expect(only(placed('zone'), { move_all: false }).moves).toBe('Only hosts move what lies here.');
});

test('some seats are named', () => {
  const policy: Policy = { audience: { seats: bitsOf([0, 2]) }, inside: 'face', outside: 'back' };
  expect(only(placed('zone', policy)).sees).toBe(
    'Only Ann and Cyd see the faces of what lies there; all others see the backs of what lies there.',
  );
  expect(only(placed('tray', policy, 1)).moves).toBe('Only Ann, Cyd and Ben may move what lies there.');
  expect(seatsIn(bitsOf([0, 2]), { seats: SEATS })).toEqual([0, 2]);
});

test('one seat sees, whatever its name, and several see', () => {
  const policy: Policy = { audience: { seats: bitsOf([3]) }, inside: 'face', outside: 'back' };
  const seats = { ...SEATS, '3': seat('Dan, the fourth') };
  const [, place] = placesOf(viewOf({ it: placed('zone', policy) }, {}, {}, seats));
  expect(place?.sees).toBe(
    'Only Dan, the fourth sees the faces of what lies there; all others see the backs of what lies there.',
  );
  const three = { ...policy, audience: { seats: bitsOf([0, 1, 2]) } };
  expect(only(placed('zone', three)).sees).toMatch(/^Only Ann, Ben and Cyd see the faces/);
});

test('every choice of sight is found again in the policy that it makes', () => {
  for (const kind of ['stack', 'bag', 'zone', 'tray', 'hand'] as const) {
    for (const choice of sightsOf(kind)) {
      const policy = withSight({ ...usualSight(kind), auto_face: 'down', capacity: 3 }, choice);
      expect(sightOf(kind, policy)?.value, `${kind} ${choice.value}`).toBe(choice.value);
      expect(policy).toMatchObject({ auto_face: 'down', capacity: 3 });
    }
    expect(sightOf(kind, usualSight(kind))).toBeDefined();
  }
  expect(sightOf('zone', { audience: 'all', inside: 'presence', outside: 'count' })).toBeUndefined();
});
