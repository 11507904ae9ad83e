import {
  countText,
  kindOf,
  mostOf,
  type PlacedMarks,
  type PlaceStep,
  partOf,
  placedWords,
  type Step,
  type Supply,
  setOf,
  setValueOf,
  type Target,
} from '../protocol/buttons.ts';
import { type PartRef, partWords } from '../protocol/parts.ts';
import { CONTAINER_WORDS, seatLetter } from '../view/names.ts';

/** A step in words. */
export function stepWords(step: Step, supply: Supply): string {
  const each = step.each_seat === true && kindOf(step) !== 'make';
  const times = step.times && !('fixed' in step.times && step.times.fixed === 1) ? step.times : undefined;
  const seat = step.seat !== undefined && `for seat ${seatLetter(step.seat)}`;
  const more = [each && 'for each player', seat, times && `${countText(times)} times`]
    .filter(Boolean)
    .join(', ');
  return more ? `${doing(step, supply)}, ${more}` : doing(step, supply);
}

function doing(step: Step, supply: Supply): string {
  switch (step.do) {
    case 'place':
      return placing(step, supply);
    case 'shuffle':
      return `Shuffle ${partWords(step.what)}`;
    case 'roll':
      return `Roll ${partWords(step.what)}`;
    case 'deal':
      return `Deal ${countText(step.most)} from ${partWords(step.from)} to each player`;
    case 'move':
      return `Move ${pieces(step)} to ${targetWords(step.to)}${face(step.face)}${marksWords(step.marks)}`;
    case 'note':
      return `Put a note on ${targetWords(step.to)}: “${step.text}”${marksWords(step.marks)}`;
    case 'flip':
      return `Turn over ${pieces(step)}`;
    case 'reveal':
      return `Turn ${pieces(step)} face up`;
    case 'set':
      return `Set ${partWords(step.what)} to ${countText(setValueOf(step))}`;
    case 'phase':
      return `Go to the phase “${step.phase}”`;
    case 'say':
      return `Write in the log: “${step.text}”`;
    case 'wait-for-host':
      return 'Wait for the host';
  }
}

/** The pieces that a step takes from a part, in words. */
function pieces(step: Step): string {
  const part = partOf(step) ?? ({ name: '' } satisfies PartRef);
  const most = mostOf(step);
  return most ? `${countText(most)} from ${partWords(part)}` : `all of ${partWords(part)}`;
}

const face = (side: 'up' | 'down' | null | undefined): string =>
  side === 'down' ? ', face down' : side === 'up' ? ', face up' : '';

const marksWords = ({ turn, locked, tint }: PlacedMarks = {}): string =>
  [turn && `, turned by ${turn}°`, tint !== undefined && ', tinted', locked && ', locked']
    .filter(Boolean)
    .join('');

/** Distance from the middle, in words. */
function offWords({ x, y }: { readonly x: number; readonly y: number }): string {
  const off = (tenths: number, less: string, more: string) =>
    tenths === 0 ? [] : [`${Math.abs(tenths) / 10} mm ${tenths < 0 ? less : more}`];
  const words = [...off(x, 'left', 'right'), ...off(y, 'up', 'down')];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function targetWords(to: Target): string {
  if ('into' in to) return partWords(to.into);
  if ('within' in to) return `${partWords(to.within.into)}${offWords(to.within)}`;
  return offWords(to.at) === '' ? 'the middle of the table' : `the table${offWords(to.at)}`;
}

function placing({ place, to, face: side, each_seat, marks }: PlaceStep, supply: Supply): string {
  if ('container' in place) {
    const { kind, name } = place.container;
    return `Make ${CONTAINER_WORDS[kind].the} “${name}”${each_seat ? ' for each seat' : ` on ${targetWords(to)}`}${marksWords(marks)}`;
  }
  const most = mostOf({ do: 'place', place, to });
  const name = placedWords(place, supply);
  const what = setWords(place, most ? countText(most) : undefined, name);
  return `Put ${what} ${'at' in to ? 'on' : 'into'} ${targetWords(to)}${face(side)}${marksWords(marks)}`;
}

function setWords(place: PlaceStep['place'], most: string | undefined, name: string): string {
  if (setOf(place) === undefined) return most === undefined ? `all copies of ${name}` : `${most} × ${name}`;
  return most === undefined ? `all of ${name}` : `${most} of ${name}, by chance,`;
}
