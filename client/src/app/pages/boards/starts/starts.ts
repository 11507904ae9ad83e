import type { BoardStart } from './build.ts';
import { classicBoards } from './classics.ts';
import { mapBoards } from './maps.ts';
import { matBoards } from './mats.ts';
import { trackBoards } from './tracks.ts';

let built: readonly BoardStart[] | undefined;

/** Every board to begin with, built when first asked for. */
export function boardStarts(): readonly BoardStart[] {
  built ??= [...mapBoards(), ...trackBoards(), ...classicBoards(), ...matBoards()];
  return built;
}
