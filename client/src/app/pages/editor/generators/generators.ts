import type { Generator } from './generator.ts';
import { MODULAR } from './modular.tsx';
import { NETWORK } from './network.tsx';
import { PLAYER_BOARD } from './player-board.tsx';
import { RANDOM_MAP } from './random-map.tsx';
import { SLOTS } from './slots.tsx';
import { TRACK } from './track.tsx';

/** The generators, in the order of their commands. Another kind is a file beside these and a line here. */
export const GENERATORS: readonly Generator[] = [RANDOM_MAP, TRACK, NETWORK, MODULAR, SLOTS, PLAYER_BOARD];
