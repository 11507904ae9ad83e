import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { Act, Handle } from '../../../../core/play/protocol/messages.ts';
import { type Placed, topmost } from '../../../../core/play/view/arrange.ts';
import { cssColour, pieceName, seatName } from '../../../../core/play/view/names.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { type Connected, PING_FADES_MS, POINTER_FADES_MS } from '../../../../data/play/connection.ts';
import { SHARP_AFTER_MS } from '../../../../render/play/table-painter.ts';
import type { ShownPointer, TableColours, TableScene } from '../../../../render/play/table-scene.ts';
import { isTyping } from '../../../../ui/commands/keys.ts';
import { Unseen } from '../../../../ui/page/page.tsx';
import { draggedBy } from '../gestures/gestures.ts';
import { LongPress } from '../gestures/long-press.ts';
import css from '../play.module.css';
import { type ControlHost, TableControl } from './table-control.ts';
import { tableColours, useFaces, usePainter } from './use-painter.ts';

/** Sharper than this is not seen and costs memory. */
const MAX_DEVICE_RATIO = 2;
/** Distance of one press of an arrow key while nothing is selected, in CSS pixels. */
const PAN_PX = 60;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export interface SurfaceProps {
  readonly view: TableView;
  readonly placed: readonly Placed[];
  readonly connected: Connected;
  readonly selected: readonly Handle[];
  readonly mayMove: boolean;
  readonly control: React.Ref<TableControl>;
  readonly select: (handles: readonly Handle[]) => void;
  readonly act: (act: Act) => Promise<unknown>;
  readonly point: ControlHost['point'];
  /** Shows everybody a place. */
  readonly ping: (x: number, y: number) => void;
  readonly onDropOutside: (handles: readonly Handle[], x: number, y: number) => boolean;
  readonly onDouble: (handle: Handle) => void;
  readonly onMenu: (x: number, y: number) => void;
}

/** The felt: everything on the table, painted on a canvas. The list of pieces beside it says the same in words. */
export function Surface(props: SurfaceProps) {
  const { view, placed, connected, selected, control: ref } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { faces, painted } = useFaces(view.common);
  const painter = usePainter(faces);
  const frame = useRef(0);
  const sharpening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const colours = useRef<TableColours>(undefined);
  const control = useControl(canvas, latest, () => schedule.current());
  useImperativeHandle(ref, () => control, [control]);
  const longPress = useMemo(() => new LongPress(), []);
  useEffect(() => () => longPress.end(), [longPress]);

  const paint = useCallback(() => {
    frame.current = 0;
    const element = canvas.current;
    const ctx = element?.getContext('2d');
    if (!element || !ctx) return;
    const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
    const { w, h } = control.screen;
    const [width, height] = [Math.round(w * ratio), Math.round(h * ratio)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    colours.current ??= tableColours(element);
    const { view: now, placed: all, selected: chosen, connected: link } = latest.current;
    const pointers = pointersOf(now, link);
    const others = pointers.flatMap(({ pointer }) => draggedBy(now, all, pointer) ?? []);
    const own = control.paintedDrag;
    const drags = own ? [...others, own] : others;
    const isSharp = painter.paint(
      ctx,
      {
        view: now,
        placed: withDraggedTops(now, all, drags),
        camera: control.camera,
        screen: { w, h },
        selected: new Set(chosen),
        drags,
        ...(control.target !== undefined && { target: control.target }),
        ...(control.space && { space: control.space }),
        ...(control.box && { box: control.box }),
        ...(control.ruler && { ruler: control.ruler }),
        pointers,
        pings: pingsOf(now, link),
      },
      colours.current,
      ratio,
      performance.now(),
    );
    clearTimeout(sharpening.current);
    if (!isSharp) sharpening.current = setTimeout(() => schedule.current(), SHARP_AFTER_MS);
  }, [control, painter]);
  const schedule = useRef(() => {});
  schedule.current = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(paint);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is painted
  useLayoutEffect(
    () => schedule.current(),
    [view, placed, selected, connected.pointers, connected.pings, painted],
  );
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      clearTimeout(sharpening.current);
    },
    [],
  );
  const retheme = useCallback(() => {
    colours.current = undefined;
    schedule.current();
  }, []);
  useFirstLook(canvas, control, placed.length > 0, retheme);
  useFading(connected, schedule);
  usePings(connected, schedule);
  useRuler(control, props.ping);

  return (
    <div
      className={css.surface}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the selection while it has the focus
      tabIndex={0}
      role="application"
      aria-label="Table"
      aria-describedby="table-keys"
      onPointerDown={(event) => {
        event.currentTarget.focus({ preventScroll: true });
        // The menu's button moves nothing.
        if (event.button === 2) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        control.down(event);
        longPress.down(event, (x, y) => {
          if (!control.abort()) latest.current.onMenu(x, y);
        });
      }}
      onPointerMove={(event) => {
        longPress.move(event);
        control.move(event);
      }}
      onPointerUp={(event) => {
        longPress.end();
        control.up(event);
      }}
      onPointerCancel={(event) => {
        longPress.end();
        control.cancel(event);
      }}
      onPointerLeave={() => control.left()}
      onDoubleClick={({ clientX, clientY }) => {
        const handle = control.thingAt(clientX, clientY);
        if (handle !== undefined) latest.current.onDouble(handle);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        longPress.end();
        // During a drag another button gives it up.
        if (!control.abort()) latest.current.onMenu(event.clientX, event.clientY);
      }}
      onKeyDown={(event) => {
        const arrow = ARROWS[event.key];
        if (event.key === 'Escape' && control.abort()) {
          event.preventDefault();
        } else if (event.code === 'Space') {
          control.panning = true;
          event.preventDefault();
        } else if (arrow && !event.altKey && !event.ctrlKey && (event.shiftKey || selected.length === 0)) {
          control.pan(arrow[0] * PAN_PX, arrow[1] * PAN_PX);
          event.preventDefault();
          event.stopPropagation();
        }
      }}
      onKeyUp={(event) => {
        if (event.code === 'Space') control.panning = false;
      }}
      onBlur={() => {
        control.panning = false;
      }}
    >
      <canvas ref={canvas} aria-hidden />
      <span role="status">
        <Unseen>{shownWords(view, placed, connected)}</Unseen>
      </span>
    </div>
  );
}

function useControl(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  latest: React.RefObject<SurfaceProps>,
  changed: () => void,
): TableControl {
  const tell = useRef(changed);
  tell.current = changed;
  return useMemo(() => {
    const now = () => latest.current;
    return new TableControl({
      view: () => now().view,
      placed: () => now().placed,
      selected: () => now().selected,
      mayMove: () => now().mayMove,
      select: (handles) => now().select(handles),
      act: (act) => now().act(act),
      point: (at, drag) => now().point(at, drag),
      changed: () => tell.current(),
      dropOutside: (handles, x, y) => now().onDropOutside(handles, x, y),
      box: () => canvas.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 },
    });
  }, [canvas, latest]);
}

/** Shows the whole table when the first things lie on it, and follows the size of the window and the theme. */
function useFirstLook(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  control: TableControl,
  filled: boolean,
  retheme: () => void,
): void {
  useLayoutEffect(() => {
    if (filled) control.fit();
  }, [control, filled]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      control.wheel(event);
    };
    // React listens passively, and the page would scroll too. The canvas itself lets the pointer through.
    const felt = element.parentElement;
    felt?.addEventListener('wheel', wheel, { passive: false });
    const resized = new ResizeObserver(() => control.resized());
    resized.observe(element);
    const themed = new MutationObserver(retheme);
    themed.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    // Texts that were painted before their font was there, and a graphics card that was reset.
    document.fonts.addEventListener('loadingdone', retheme);
    element.addEventListener('contextrestored', retheme);
    return () => {
      document.fonts.removeEventListener('loadingdone', retheme);
      element.removeEventListener('contextrestored', retheme);
      felt?.removeEventListener('wheel', wheel);
      resized.disconnect();
      themed.disconnect();
    };
  }, [canvas, control, retheme]);
}

/** Takes pointers off the table that have not moved for a while. */
function useFading({ pointers }: Connected, schedule: React.RefObject<() => void>): void {
  useEffect(() => {
    if (pointers.size === 0) return;
    const timer = setTimeout(() => schedule.current(), POINTER_FADES_MS + 50);
    return () => clearTimeout(timer);
  }, [pointers, schedule]);
}

/** Goes on painting while places that people show fade; where motion is not wanted they stand until they go. */
function usePings({ pings }: Connected, schedule: React.RefObject<() => void>): void {
  useEffect(() => {
    const last = pings.at(-1);
    if (!last) return;
    let frame = 0;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = still ? setTimeout(() => schedule.current(), PING_FADES_MS + 50) : undefined;
    const go = () => {
      schedule.current();
      if (Date.now() - last.at <= PING_FADES_MS) frame = requestAnimationFrame(go);
    };
    if (!still) frame = requestAnimationFrame(go);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [pings, schedule]);
}

/** Measures while M is held over the table, and shows everybody the place where it ends. */
function useRuler(control: TableControl, ping: (x: number, y: number) => void): void {
  const latest = useRef(ping);
  latest.current = ping;
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (event.repeat ? control.ruler !== undefined : control.measure()) event.preventDefault();
    };
    const up = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'm' || !control.ruler) return;
      const at = control.measured();
      if (at) latest.current(at.x, at.y);
    };
    const blur = () => void control.measured();
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    window.addEventListener('blur', blur);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
      window.removeEventListener('blur', blur);
    };
  }, [control]);
}

function pingsOf(view: TableView, { pings }: Connected): TableScene['pings'] {
  const now = Date.now();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return pings.flatMap(({ ping: [seat, x, y], at }) => {
    const colour = view.table.seats[String(seat)]?.colour;
    const age = (now - at) / PING_FADES_MS;
    if (colour === undefined || age > 1) return [];
    return [{ x, y, colour: cssColour(colour), age: still ? 0.3 : age }];
  });
}

/** The last place that somebody else showed, in words. */
function shownWords(view: TableView, placed: readonly Placed[], { pings }: Connected): string {
  const last = pings.at(-1)?.ping;
  if (!last || last[0] === view.seat) return '';
  const thing = topmost(placed, last[1], last[2]);
  return `${seatName(view, last[0])} shows ${thing ? pieceName(view, thing.handle) : 'a place on the table'}`;
}

function pointersOf(view: TableView, { pointers }: Connected): ShownPointer[] {
  const now = Date.now();
  return [...pointers].flatMap(([seat, { pointer, at }]) => {
    const colour = view.table.seats[String(seat)]?.colour;
    if (colour === undefined || now - at > POINTER_FADES_MS) return [];
    return [{ pointer, colour: cssColour(colour), name: seatName(view, seat) }];
  });
}

/** The top of a pile is painted by itself while it is dragged. */
function withDraggedTops(
  view: TableView,
  placed: readonly Placed[],
  drags: TableScene['drags'],
): readonly Placed[] {
  const tops = drags
    .flatMap(({ handles }) => [...handles])
    .flatMap((handle): Placed[] => {
      const shown = view.pieces.get(handle);
      const holder = placed.find((one) => one.handle === shown?.holder);
      if (!shown || !holder || placed.some((one) => one.handle === handle)) return [];
      const { top: _top, inside: _inside, ...place } = holder;
      return [{ ...place, handle, shown, turn: shown.turn ?? 0 }];
    });
  return tops.length === 0 ? placed : [...placed, ...tops];
}
