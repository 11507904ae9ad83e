import { listInWords } from '../../text/list-in-words.ts';
import type {
  ContainerKind,
  Handle,
  Policy,
  PublicTable,
  SeatNo,
  ShownContainer,
  Shows,
} from '../protocol/messages.ts';
import { seatName, shownName } from './names.ts';
import type { TableView } from './view.ts';

type Looks = Pick<TableView, 'pieces' | 'backs' | 'faces' | 'table'>;

/** A place of the table, and in words who sees, moves and looks through what lies there. */
export interface PlaceRules {
  readonly handle: Handle | undefined;
  readonly name: string;
  readonly container: ShownContainer | undefined;
  readonly sees: string;
  readonly moves: string;
  /** Empty where nothing is looked through. */
  readonly looksThrough: string;
}

/** All places: the table itself, then piles and areas, then what belongs to seats. */
export function placesOf(view: Looks): readonly PlaceRules[] {
  const own = (container: ShownContainer) => container.owner ?? -1;
  const containers = [...view.pieces]
    .flatMap(([handle, shown]) => (shown.container ? [{ handle, shown, container: shown.container }] : []))
    .sort(
      (a, b) =>
        own(a.container) - own(b.container) ||
        shownName(view, a.shown).localeCompare(shownName(view, b.shown)),
    );
  return [
    onTheTable(view),
    ...containers.map(({ handle, shown, container }) => ({
      handle,
      name: shownName(view, shown),
      container,
      sees: seesWords(view, container),
      moves: movesWords(view, container),
      looksThrough: throughWords(view, container),
    })),
  ];
}

function onTheTable({ table }: Looks): PlaceRules {
  const { remembers } = table.settings;
  return {
    handle: undefined,
    name: 'On the table',
    container: undefined,
    sees: 'Everybody sees each piece as it lies: its face, or its back if it lies face down.',
    moves: mayMoveOnTable(table),
    looksThrough: `Anybody may look alone at a piece that lies face down; everybody reads in the log that they did.${
      remembers ? ' Whoever saw a piece may look again as long as they can follow where it goes.' : ''
    }`,
  };
}

const mayMoveOnTable = ({ settings }: PublicTable): string =>
  settings.rights.move_all ? 'All players move what lies here.' : 'Only hosts move what lies here.';

const ownerName = (view: Looks, { owner }: ShownContainer): string =>
  owner === undefined ? 'its player' : seatName(view, owner);

/** The seats of a set of bits. */
export function seatsIn(bits: number, table: Pick<PublicTable, 'seats'>): readonly SeatNo[] {
  // Bits above 31 do not fit in bitwise operations of a browser; no seat has one.
  return Object.keys(table.seats)
    .map(Number)
    .filter((no) => Math.floor(bits / 2 ** no) % 2 === 1);
}

/** Seats as bits. */
export const bitsOf = (seats: readonly SeatNo[]): number => seats.reduce((sum, no) => sum + 2 ** no, 0);

/** Names of the seats of an audience that is not everybody. */
function namesOf(
  view: Looks,
  container: ShownContainer,
  audience: Exclude<Policy['audience'], 'all'>,
): readonly string[] {
  if (audience === 'owner') return [ownerName(view, container)];
  if (audience === 'nobody') return [];
  return seatsIn(audience.seats, view.table).map((seat) => seatName(view, seat));
}

const OF_PILE: Readonly<Record<Shows, string>> = {
  nothing: 'nothing of it, not even how many pieces it has',
  count: 'how many pieces it has',
  presence: 'that a piece lies on top, and how many there are',
  back: 'the back of its top piece, and how many there are',
  asitlies: 'its top piece as it lies, and how many there are',
  face: 'the face of its top piece, and how many there are',
};
const OF_AREA: Readonly<Record<Shows, string>> = {
  nothing: 'nothing of what lies there, not even how many pieces',
  count: 'how many pieces lie there',
  presence: 'where pieces lie, but not which',
  back: 'the backs of what lies there',
  asitlies: 'what lies there as it lies',
  face: 'the faces of what lies there',
};
const OF_BAG: Readonly<Record<Shows, string>> = {
  ...OF_PILE,
  presence: OF_PILE.count,
  back: OF_PILE.count,
  asitlies: OF_PILE.count,
  face: OF_PILE.count,
};

const shownIn = (kind: ContainerKind) => (kind === 'stack' ? OF_PILE : kind === 'bag' ? OF_BAG : OF_AREA);

/** The sight that everybody has of a container, in words. */
function seesWords(view: Looks, container: ShownContainer): string {
  const { policy, kind } = container;
  if (!policy) return '';
  const words = shownIn(kind);
  const { audience, inside, outside } = policy;
  if (audience === 'all') return `Everybody sees ${words[inside]}.`;
  const names = namesOf(view, container, audience);
  if (names.length === 0 || words[inside] === words[outside]) return `Everybody sees ${words[outside]}.`;
  const see = names.length === 1 ? 'sees' : 'see';
  return `Only ${listInWords(names)} ${see} ${words[inside]}; all others see ${words[outside]}.`;
}

function movesWords(view: Looks, container: ShownContainer): string {
  const { kind, policy } = container;
  if (kind === 'hand') {
    const { take } = view.table.settings.rights;
    return `Only ${ownerName(view, container)} moves its cards. ${
      take ? 'All players' : 'Hosts'
    } may take one by chance, unseen until they have it.`;
  }
  if (kind === 'tray' && policy) {
    const { audience } = policy;
    if (audience === 'owner') return `Only ${ownerName(view, container)} moves what lies there.`;
    if (audience === 'nobody') return 'Only hosts move what lies there.';
    if (audience !== 'all') {
      const names = new Set([...namesOf(view, container, audience), ownerName(view, container)]);
      return `Only ${listInWords([...names])} may move what lies there.`;
    }
  }
  return mayMoveOnTable(view.table);
}

function throughWords(view: Looks, container: ShownContainer): string {
  const { kind } = container;
  if (kind === 'stack' || kind === 'bag') {
    return 'Anybody who plays may look through it, one at a time; everybody reads in the log that they do.';
  }
  if (kind === 'hand') {
    return view.table.settings.designer_view
      ? 'The host may look into it; everybody reads in the log that they do.'
      : 'Nobody looks into it, not even hosts.';
  }
  return '';
}

/** A sight of a container, as one chooses it. */
export interface SightChoice {
  readonly value: string;
  readonly label: string;
  readonly policy: Pick<Policy, 'audience' | 'inside' | 'outside'>;
}

const choice = (
  value: string,
  label: string,
  audience: Policy['audience'],
  inside: Shows,
  outside: Shows,
): SightChoice => ({ value, label, policy: { audience, inside, outside } });

const OPEN = choice('open', 'Everybody sees it as it lies', 'all', 'asitlies', 'asitlies');
const BACKS = choice('backs', 'Everybody sees the backs', 'all', 'back', 'back');
const COUNT = choice('count', 'Everybody sees how many', 'all', 'count', 'count');
const NOTHING = choice('nothing', 'Nobody sees how many', 'nobody', 'nothing', 'nothing');
/** Some seats, which are chosen one by one. */
export const SOME = choice(
  'some',
  'Chosen seats see the faces, others the backs',
  { seats: 0 },
  'face',
  'back',
);
const OF_OWNER = [
  choice('own-count', 'Its player sees the faces, others how many', 'owner', 'face', 'count'),
  choice('own-backs', 'Its player sees the faces, others the backs', 'owner', 'face', 'back'),
  choice('own-nothing', 'Its player sees the faces, others nothing', 'owner', 'face', 'nothing'),
];

/** Ways in which a kind of container can be seen. */
export function sightsOf(kind: ContainerKind): readonly SightChoice[] {
  switch (kind) {
    case 'stack':
      return [OPEN, BACKS, COUNT, NOTHING];
    case 'bag':
      return [COUNT, NOTHING];
    case 'zone':
      return [OPEN, BACKS, COUNT, NOTHING, SOME];
    case 'tray':
      return [...OF_OWNER, OPEN, SOME];
    case 'hand':
      return [...OF_OWNER, choice('faces', 'Everybody sees the faces', 'all', 'face', 'face')];
  }
}

/** The choice that a policy is; undefined for one that is none of them. */
export function sightOf(kind: ContainerKind, policy: Policy): SightChoice | undefined {
  const { audience, inside, outside } = policy;
  const isSome = typeof audience === 'object';
  return sightsOf(kind).find(({ policy: own }) => {
    const sameShows = own.inside === inside && own.outside === outside;
    if (kind === 'bag' || inside === outside) {
      return (
        sameShows ||
        (kind === 'bag' && shownIn(kind)[own.inside] === shownIn(kind)[inside] && own.outside === outside)
      );
    }
    return sameShows && (isSome ? typeof own.audience === 'object' : own.audience === audience);
  });
}

/** A policy with another sight, all else as it was. */
export const withSight = (policy: Policy, { policy: sight }: SightChoice): Policy => ({
  ...policy,
  ...sight,
});

/** The usual sight of a kind, the server's (`Policy::usual`). */
export const usualSight = (kind: ContainerKind): Policy => {
  if (kind === 'bag') return { audience: 'nobody', inside: 'count', outside: 'count' };
  if (kind === 'hand' || kind === 'tray') return { audience: 'owner', inside: 'face', outside: 'count' };
  return { audience: 'all', inside: 'asitlies', outside: 'asitlies' };
};
