import { Button, NumberInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CropShare } from '../../core/images/library.ts';
import type { StoredImage } from '../../data/images/library-store.ts';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import css from './framing.module.css';

/** Smallest part of an image that can be shown, as a share of its side. */
const LEAST = 0.02;
const WHOLE: CropShare = { x: 0, y: 0, w: 1, h: 1 };

/** A crop within the image, from any two of its edges. */
function within(left: number, top: number, right: number, bottom: number): CropShare {
  const x = Math.min(1 - LEAST, Math.max(0, Math.min(left, right)));
  const y = Math.min(1 - LEAST, Math.max(0, Math.min(top, bottom)));
  return {
    x,
    y,
    w: Math.min(1 - x, Math.max(LEAST, Math.abs(right - left))),
    h: Math.min(1 - y, Math.max(LEAST, Math.abs(bottom - top))),
  };
}

const SIDES = [
  { key: 'left', label: 'From the left' },
  { key: 'top', label: 'From the top' },
  { key: 'right', label: 'From the right' },
  { key: 'bottom', label: 'From the bottom' },
] as const;

/** Chooses what of an image is shown wherever it is used. The file stays whole. */
export function CropDialog({
  open,
  image,
  onClose,
  onSave,
}: {
  open: boolean;
  image: StoredImage;
  onClose: () => void;
  onSave: (crop: CropShare | null) => void;
}) {
  const [crop, setCrop] = useState<CropShare>(image.crop ?? WHOLE);
  const stage = useRef<HTMLDivElement>(null);
  const from = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    if (open) setCrop(image.crop ?? WHOLE);
  }, [open, image.crop]);

  const at = (event: React.PointerEvent) => {
    const box = stage.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    const share = (value: number) => Math.min(1, Math.max(0, value));
    return {
      x: share((event.clientX - box.left) / box.width),
      y: share((event.clientY - box.top) / box.height),
    };
  };
  const edges = { left: crop.x, top: crop.y, right: 1 - crop.x - crop.w, bottom: 1 - crop.y - crop.h };
  const setEdge = (key: keyof typeof edges, share: number) => {
    const next = { ...edges, [key]: Math.min(1, Math.max(0, share)) };
    setCrop(
      within(next.left, next.top, Math.max(next.left, 1 - next.right), Math.max(next.top, 1 - next.bottom)),
    );
  };
  const whole = crop.w > 0.999 && crop.h > 0.999;
  return (
    <Popup open={open} onClose={onClose} title="Crop" width={640}>
      <p className={css.hint}>Draw a box over what is to be seen. The file itself stays whole.</p>
      <div
        ref={stage}
        className={css.stage}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = at(event);
        }}
        onPointerMove={(event) => {
          const start = from.current;
          if (!start) return;
          const end = at(event);
          setCrop(within(start.x, start.y, end.x, end.y));
        }}
        onPointerUp={() => {
          from.current = undefined;
        }}
      >
        <img src={image.url} alt={image.path} draggable={false} />
        <span
          className={css.window}
          style={{
            left: `${crop.x * 100}%`,
            top: `${crop.y * 100}%`,
            width: `${crop.w * 100}%`,
            height: `${crop.h * 100}%`,
          }}
        />
      </div>
      <div className={css.edges}>
        {SIDES.map(({ key, label }) => (
          <NumberInput
            key={key}
            size="xs"
            label={label}
            suffix=" %"
            min={0}
            max={98}
            decimalScale={1}
            value={Math.round(edges[key] * 1_000) / 10}
            onChange={(value) => setEdge(key, Number(value) / 100)}
          />
        ))}
      </div>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="default" disabled={whole} onClick={() => setCrop(WHOLE)}>
          Whole picture
        </Button>
        <Button
          onClick={() => {
            onSave(whole ? null : crop);
            onClose();
          }}
        >
          Save crop
        </Button>
      </PopupActions>
    </Popup>
  );
}
