import type { TutorialStep } from '../../data/user-object/schema.ts';

/** Space between target, bubble and the window's edge, in CSS pixels. */
export const GAP_PX = 14;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const clamp = (value: number, max: number) => Math.max(GAP_PX, Math.min(value, max - GAP_PX));

/** Position of a bubble beside its target: wholly in the window, and off the target while there is room. */
export function placeBubble(
  target: Box,
  bubble: Size,
  viewport: Size,
  { horizontal, vertical }: TutorialStep['position'],
): { readonly left: number; readonly top: number } {
  const right = target.left + target.width;
  const bottom = target.top + target.height;
  let left = target.left + target.width / 2 - bubble.width / 2;
  let top = target.top + target.height / 2 - bubble.height / 2;
  if (vertical === 'middle') {
    const before = target.left - GAP_PX - bubble.width;
    const after = right + GAP_PX;
    const fitsAfter = after + bubble.width + GAP_PX <= viewport.width;
    const wantsBefore = horizontal === 'left' && before >= GAP_PX;
    left = wantsBefore || (!fitsAfter && before >= GAP_PX) ? before : after;
    if (!fitsAfter && before < GAP_PX) {
      left = target.left;
      top = bottom + GAP_PX;
    }
  } else {
    const above = target.top - GAP_PX - bubble.height;
    const below = bottom + GAP_PX;
    const fitsBelow = below + bubble.height + GAP_PX <= viewport.height;
    top = (vertical === 'top' && above >= GAP_PX) || (!fitsBelow && above >= GAP_PX) ? above : below;
    if (horizontal === 'left') left = right - bubble.width;
    if (horizontal === 'right') left = target.left;
  }
  return {
    left: clamp(left, viewport.width - bubble.width),
    top: clamp(top, viewport.height - bubble.height),
  };
}
