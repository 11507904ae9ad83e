/**
 * Messages of a playtest table, as `functions-host/src/table/messages.rs` describes them. Positions and sizes are in
 * tenths of a millimetre, a piece's position is its centre, turns are in degrees clockwise.
 */

import type { Button } from './buttons.ts';

/** A piece's name in one seat's view. It ends when the piece passes through hiding. */
export type Handle = string;
export type SeatNo = number;
/** The table itself, which follows its project. */
export const TABLE_SEAT: SeatNo = 62;
export type Facing = 'up' | 'down';
export type PieceKind =
  | 'card'
  | 'token'
  | 'tile'
  | 'die'
  | 'board'
  | 'counter'
  | 'note'
  | 'standee'
  | 'timer'
  | 'container';
export type ContainerKind = 'stack' | 'bag' | 'hand' | 'tray' | 'zone';
export type SeatRole = 'host' | 'cohost' | 'player';

/** Sights of a container, from nothing of its contents to all of it. */
export const SHOWS = ['nothing', 'count', 'presence', 'back', 'asitlies', 'face'] as const;
export type Shows = (typeof SHOWS)[number];

/** The contents that a container shows, and takes. */
export interface Policy {
  /** Those to whom it shows `inside`; seats are bits. */
  readonly audience: 'all' | 'owner' | 'nobody' | { readonly seats: number };
  readonly inside: Shows;
  /** Shown to everybody else. */
  readonly outside: Shows;
  readonly auto_face?: Facing | null;
  readonly auto_turn?: number | null;
  readonly accepts?: number | null;
  readonly capacity?: number | null;
}

/** A set of the box, by its place among them. */
export interface ShownSet {
  readonly name: string;
  /** Pieces of it in the box. */
  readonly pieces: number;
  readonly backs: readonly number[];
  /** True if it is part of another one: the cards of a component with one value in a column. */
  readonly part?: boolean;
}

export interface ShownContainer {
  readonly kind: ContainerKind;
  readonly arrangement: 'free' | 'fan' | 'row' | 'grid';
  readonly policy: Policy | null;
  readonly owner?: SeatNo;
  readonly size: readonly [number, number];
  /** Pieces inside, unless that is hidden. */
  readonly count?: number;
  /** Seats that look through it. */
  readonly searched_by?: readonly SeatNo[];
}

/** The look of a piece to the own seat: on a surface, or in a container. */
export interface Shown {
  readonly surface?: number;
  readonly holder?: Handle;
  /** Index in its container, from the bottom. */
  readonly at?: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly kind?: PieceKind;
  readonly back?: number;
  readonly face?: number;
  readonly facing?: Facing;
  readonly turn?: number;
  readonly locked?: boolean;
  readonly group?: number;
  readonly tint?: number;
  readonly value?: number;
  readonly text?: string;
  readonly name?: string;
  /** It lies hidden, but this seat may look. */
  readonly known?: boolean;
  readonly container?: ShownContainer;
}

export interface PublicSeat {
  readonly name: string;
  /** 24 bits. */
  readonly colour: number;
  readonly role: SeatRole;
  readonly taken: boolean;
  readonly agrees: boolean;
}

export interface Rights {
  readonly move_all: boolean;
  readonly spawn: boolean;
  readonly remove: boolean;
  readonly edit: boolean;
  readonly buttons: boolean;
  readonly undo_others: boolean;
  readonly take: boolean;
}

export type Follow = 'live' | 'ask' | 'frozen';

export interface PublicTable {
  readonly surfaces: number;
  readonly seats: Readonly<Record<string, PublicSeat>>;
  readonly clock: { readonly turn: SeatNo | null; readonly phase: string; readonly round: number };
  readonly settings: {
    readonly rights: Rights;
    readonly undo: 'strict' | 'ask' | 'free';
    readonly designer_view: boolean;
    /** True if a seat may look again at a piece that it has seen and can follow. */
    readonly remembers?: boolean;
    readonly open_to_observers?: boolean;
    readonly phases?: readonly string[];
    /** The way the table takes changes of the project's cards. */
    readonly follow: Follow;
    /** Name of the version of the project whose cards the table has and keeps. */
    readonly version?: string;
  };
  /** An undo that waits for votes. */
  readonly proposal: { readonly n: number; readonly by: SeatNo; readonly until: number } | null;
  readonly has_setup: boolean;
  /** Buttons by name. */
  readonly buttons?: Readonly<Record<string, Button>>;
  /** The button that waits for the host; empty for the set-up. */
  readonly waiting?: string | null;
  readonly ended: boolean;
}

export interface Named {
  readonly handle?: Handle;
  readonly face?: number;
}

/** A line of the log. */
export type Say =
  | {
      readonly say: 'moved';
      readonly pieces: readonly Named[];
      readonly from?: Handle;
      readonly to?: Handle;
    }
  | {
      readonly say: 'shown';
      readonly pieces: readonly Named[];
      readonly to: readonly SeatNo[];
      readonly from?: Handle;
    }
  | { readonly say: 'text'; readonly text: string }
  /** A button rolled dice. */
  | { readonly say: 'rolled'; readonly pieces: readonly Named[] }
  | { readonly say: 'undone'; readonly entries: number; readonly faces: number; readonly chance: boolean }
  /** The host says who won, and the points of seats. */
  | {
      readonly say: 'won';
      readonly winners: readonly SeatNo[];
      readonly points: readonly (readonly [SeatNo, number])[];
    }
  /** The project's cards changed: those that one sees. */
  | { readonly say: 'cards'; readonly faces: readonly number[] };

interface Difference {
  readonly n: number;
  readonly set?: Readonly<Record<Handle, Shown | null>>;
  /** Looks seen for the first time, as JSON texts. */
  readonly faces?: Readonly<Record<string, string>>;
  readonly backs?: Readonly<Record<string, string>>;
  /** Layouts and what else looks share, where they are new. */
  readonly common?: string;
  /** The set-up and the sets of the box, for seats that may change the table. */
  readonly setup?: Button;
  readonly sets?: readonly ShownSet[];
}

/** Everything on view. */
export interface State extends Difference {
  readonly epoch: string;
  readonly seat: SeatNo | null;
  /** SHA-256 of the seed of chance, in hexadecimal. */
  readonly commitment: string;
  readonly table: PublicTable;
}

/** One entry of the log. */
export interface Patch extends Difference {
  /** Pieces on view that lie elsewhere, all else as before: x, y and z. */
  readonly put?: Readonly<Record<Handle, readonly [x: number, y: number, z: number]>>;
  /** Pieces of the one log line `moved`; their faces are those on view. */
  readonly did?: readonly Handle[];
  readonly by: SeatNo;
  readonly verb: string;
  readonly say?: readonly Say[];
  readonly table?: PublicTable;
  readonly ack?: number;
  /** Hash of the view after it, now and then. */
  readonly check?: number;
}

export interface Refused {
  readonly no: number;
  readonly code: string;
  readonly say: string;
}

/** Seat, x, y, and how far what it drags is from its place. */
export type Pointer = readonly [
  seat: SeatNo,
  x: number,
  y: number,
  drag?: readonly [dx: number, dy: number, turn: number],
];

/** Seat, x, y. */
export type Ping = readonly [seat: SeatNo, x: number, y: number];

export type ServerMessage =
  | { readonly state: State }
  | Patch
  | Refused
  | { readonly people: People }
  | { readonly you: You }
  | { readonly admission: Admission }
  | { readonly cards: CardNews }
  /** Pointers that moved, and places that people show. */
  | { readonly pointers: readonly Pointer[]; readonly pings?: readonly Ping[] }
  | {
      readonly fair: { readonly commitment: string; readonly seal: string; readonly seed: string | null };
    }
  | { readonly bye: { readonly why: string; readonly again: boolean } };

/** Seats and observers that are connected. */
export interface People {
  readonly seats: readonly SeatNo[];
  readonly observers: number;
}

/** The own standing at a table. */
export interface You {
  /** The own seats. */
  readonly seats: readonly SeatNo[];
  /** True if one says who comes. */
  readonly leads: boolean;
  /** The table's name. */
  readonly table: string;
}

/** Changes of the project's cards, for those who lead the table. */
export interface CardNews {
  /** The reason for which the server cannot take them at once. */
  readonly why: string | null;
  /** The reason for which the last change was not taken. */
  readonly trouble: string | null;
  /** True if the project changed, and the server cannot tell how. */
  readonly behind: boolean;
  /** Components on the table, for a browser that packs them itself. */
  readonly components?: readonly string[];
  /** A change that waits for a host. */
  readonly waiting?: CardChange;
}

export interface CardChange {
  readonly hash: string;
  readonly components: readonly {
    readonly name: string;
    /** Numbers of cards. */
    readonly new: number;
    readonly gone: number;
    readonly changed: number;
    /** Ids, for owners and editors of the project. */
    readonly id?: string;
    readonly cards?: readonly string[];
  }[];
  /** True if layouts or backs look different. */
  readonly layouts: boolean;
}

/** Somebody who gave the table's code. */
export interface JoinedPerson {
  /** The account. */
  readonly id: string;
  readonly name: string;
  readonly entry: 'in' | 'waiting' | 'out';
  /** True if the account was made for the table. */
  readonly guest: boolean;
  readonly seats: readonly SeatNo[];
  /** True while they are connected. */
  readonly here: boolean;
}

/** People who may come to a table; only those who lead it are told. */
export interface Admission {
  /** `null` before the first code is made. */
  readonly code: string | null;
  /** True if nobody new joins. */
  readonly locked: boolean;
  /** True if whoever joins by code waits for a yes. */
  readonly asks: boolean;
  readonly people: readonly JoinedPerson[];
}

export interface At {
  readonly surface: number;
  readonly x: number;
  readonly y: number;
}

/** An act: a verb with its fields. `as` is the seat to sit down on. */
export interface Act {
  readonly verb: string;
  readonly pieces?: readonly Handle[];
  readonly into?: Handle;
  readonly as?: SeatNo;
  readonly [field: string]: unknown;
}
