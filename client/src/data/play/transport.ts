import type { Act, SeatNo, ServerMessage } from '../../core/play/protocol/messages.ts';

/** State that a client comes back with. */
export interface Have {
  readonly epoch: string;
  readonly n: number;
}

/** Messages to a table. One of the fields is set. */
export interface ClientMessage {
  readonly act?: Act & { readonly c: number };
  readonly at?: readonly [number, number];
  readonly drag?: readonly [number, number, number];
  readonly ping?: readonly [number, number];
  readonly fresh?: number;
  readonly look?: SeatNo;
  readonly token?: string;
}

export interface TransportEvents {
  message(message: ServerMessage): void;
  /** Nothing more comes. */
  end(): void;
}

/** A way to a table: a socket, or calls where sockets are blocked. */
export interface Transport {
  /** False if what is sent now would be lost. */
  send(message: ClientMessage): boolean;
  close(): void;
}

/** `seat` is the one to look from, of several of one's own. */
export type OpenTransport = (
  have: Have | undefined,
  events: TransportEvents,
  seat?: SeatNo | undefined,
) => Transport;
