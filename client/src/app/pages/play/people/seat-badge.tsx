import type { SeatNo } from '../../../../core/play/protocol/messages.ts';
import { cssColour, seatLetter } from '../../../../core/play/view/names.ts';
import { inkOn } from '../../../../render/play/table-overlays.ts';
import css from './seat-badge.module.css';

/** A seat's letter on its colour; its name stands beside it. */
export function SeatBadge({ seat, colour }: { seat: SeatNo; colour: number }) {
  const background = cssColour(colour);
  return (
    <span className={css.badge} style={{ background, color: inkOn(background) }} aria-hidden>
      {seatLetter(seat)}
    </span>
  );
}
