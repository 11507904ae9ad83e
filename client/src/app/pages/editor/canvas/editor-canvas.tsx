import { Maximize2, RectangleVertical, ZoomIn, ZoomOut } from 'lucide-react';
import { type CSSProperties, useCallback, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { type GroupSizes, withGroupSizes } from '../../../../core/layout/group-sizes.ts';
import type { Column, Row } from '../../../../core/scene/card/row.ts';
import type { Issue, ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import type { Rect } from '../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { ZONES } from '../../../../core/scene/zones.ts';
import { useWithout } from '../../../../data/opening.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import { canRun } from '../../../../ui/commands/command.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { useRenderedCard } from '../../../painting/use-rendered-card.ts';
import { WRITE } from '../commands/edit.ts';
import { GRID_MM } from '../geometry/snap.ts';
import { around } from '../geometry/snap-targets.ts';
import type { PointerTarget } from '../handles/machine.ts';
import type { LayoutPresence } from '../presence/layout-presence.ts';
import { PeerCursors } from '../presence/peer-cursors.tsx';
import { type EditorModel, withPreview } from '../state/editor-store.ts';
import { findZone } from '../state/zones/zones.ts';
import { boxStyle } from './box-style.ts';
import css from './canvas.module.css';
import { DrawingHint } from './drawing-hint.tsx';
import { EdgePainter } from './edge-painter.tsx';
import { GuideLines, useGuides } from './guides.tsx';
import { cardBoxOf } from './handle-context.ts';
import { Hints } from './hints.tsx';
import { MapPainter } from './map-painter.tsx';
import { PathPoints } from './path-points.tsx';
import { Rulers } from './rulers.tsx';
import { SpaceOutlines } from './space-outlines.tsx';
import { TextWriter } from './text-writer.tsx';
import { usePanning } from './use-panning.ts';
import { usePointer } from './use-pointer.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { Handles, ZoneBox } from './zone-box.tsx';

const ZOOM_STEP = 1.25;
/** Lines closer than this many pixels run together. */
const FINEST_GRID_PX = 5;
/** Most issues shown under the card. */
const MAX_SHOWN_ISSUES = 3;

/** Of a zone that is painted many times, the first painting is taken hold of. */
const isFirst = ({ id, zone, kind }: ZoneFrame): boolean =>
  id === zone || (/^[^#]+(#1)+$/.test(id) && kind !== 'base' && !ZONES[kind].repeats);

/** Problems of the card shown; one click selects the zone. */
function Issues({ issues, model }: { issues: readonly Issue[]; model: EditorModel }) {
  if (issues.length === 0) return null;
  return (
    <ul className={css.issues} aria-label="On this card">
      {issues.slice(0, MAX_SHOWN_ISSUES).map((issue) => (
        <li key={`${issue.zone}:${issue.code}:${issue.message}`}>
          <button type="button" onClick={() => model.select(issue.zone === 'base' ? null : issue.zone)}>
            {issue.message}
          </button>
        </li>
      ))}
    </ul>
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }) {
  return (
    <fieldset className={css.zoom} aria-label="Zoom">
      <button type="button" aria-label="Zoom out" onClick={() => zoom.zoomBy(1 / ZOOM_STEP)}>
        <ZoomOut size={16} aria-hidden />
      </button>
      <span>{Math.round(zoom.zoom * 100)}%</span>
      <button type="button" aria-label="Zoom in" onClick={() => zoom.zoomBy(ZOOM_STEP)}>
        <ZoomIn size={16} aria-hidden />
      </button>
      <button type="button" aria-label="Fit the card" onClick={() => zoom.fit()}>
        <Maximize2 size={15} aria-hidden />
      </button>
      <button type="button" aria-label="Real size" title="Real size" onClick={() => zoom.realSize()}>
        <RectangleVertical size={15} aria-hidden />
      </button>
    </fieldset>
  );
}

/** Trim, grid and safe area over the painted card. */
function SheetLines({ scene, scale }: { scene: Layout; scale: number }) {
  const { showGrid } = useUserObject().userObject;
  const { bleed, size } = scene;
  return (
    <>
      <div
        className={css.trim}
        aria-hidden
        style={{
          inset: bleed * scale,
          borderRadius: size.shape === 'circle' ? '50%' : size.radius * scale,
        }}
      />
      {showGrid && (
        <div
          className={css.gridLines}
          aria-hidden
          data-grid
          data-fine={scale * GRID_MM >= FINEST_GRID_PX || undefined}
          style={{ inset: bleed * scale, '--step': `${scale * GRID_MM}px` } as CSSProperties}
        />
      )}
      <div className={css.safe} aria-hidden style={{ inset: (bleed + scene.safe) * scale }} />
    </>
  );
}

/** Handles around several selected zones. */
function GroupHandles({
  box,
  scale,
  onPress,
}: {
  box: Rect;
  scale: number;
  onPress: (event: React.PointerEvent, target: PointerTarget) => void;
}) {
  const place = boxStyle(box, scale);
  return (
    <div className={css.group} style={place}>
      <Handles
        width={place.width}
        height={place.height}
        onPress={(event, handle) => onPress(event, { kind: 'group-handle', handle })}
      />
    </div>
  );
}

/** A double click writes in the selected text. */
function useWriting(model: EditorModel, area: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // The pointer is captured by the view, so that the second click of two comes to it as well.
    const element = area.current;
    const context = { model, save: () => undefined };
    const write = () => canRun(WRITE, context) && WRITE.run(context);
    element?.addEventListener('dblclick', write);
    return () => element?.removeEventListener('dblclick', write);
  }, [model, area]);
}

/** The card, painted, under a layer of boxes that can be taken hold of. */
export function EditorCanvas({
  model,
  row,
  columns,
  groupSizes,
  wordsOf,
  presence,
  control,
}: {
  model: EditorModel;
  row: Row;
  columns: readonly Column[];
  /** Sizes of the texts that all cards of the table set alike. */
  groupSizes: GroupSizes;
  /** A layout with its words in the language shown. */
  wordsOf: (layout: Layout) => Layout;
  presence: LayoutPresence;
  control: React.Ref<Zoom>;
}) {
  const scene = useStore(model.store, (state) => state.scene);
  const preview = useStore(model.store, (state) => state.preview);
  const selection = useStore(model.store, (state) => state.selection);
  const rulers = useStore(model.store, (state) => state.rulers);
  const unit = useStore(model.store, (state) => state.unit);
  const writing = useStore(model.store, (state) => state.writing);
  const draws = useStore(model.store, (state) => state.tool !== null);
  const shown = useMemo(
    () => wordsOf(withGroupSizes(withPreview(scene, preview), groupSizes)),
    [scene, preview, groupSizes, wordsOf],
  );
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const { w, h } = scene.size;
  const bleed = scene.bleed;
  const zoom = useZoom(area, sheet, w + bleed * 2, h + bleed * 2);
  const { scale } = zoom;
  useImperativeHandle(control, () => zoom, [zoom]);
  const { list, error } = useRenderedCard(canvas, shown, row, columns, scale);
  const unpainted = useWithout().pictures;

  const panning = usePanning(area);
  const { press, onPress, move, end, toCard } = usePointer({
    model,
    area,
    sheet,
    list,
    scale,
    bleed,
    panning,
  });
  const guides = useGuides(model, toCard);
  const onSelect = useCallback((id: string) => model.select(id), [model]);
  useWriting(model, area);

  const boxes = list?.zones.filter((frame) => frame.kind !== 'base' && isFirst(frame)) ?? [];
  const group =
    selection.length > 1 ? around(selection.flatMap((id) => cardBoxOf(boxes, id) ?? [])) : undefined;
  const written = findZone(scene, writing);
  const writtenFrame = boxes.find(({ zone }) => zone === writing);
  return (
    <section
      className={css.area}
      aria-label="Canvas"
      data-rulers={rulers || undefined}
      // A drag of the browser's own, of what is selected on the page, would take the pointer away from the zones.
      onDragStart={(event) => event.preventDefault()}
    >
      <div
        ref={area}
        className={css.scroller}
        data-panning={panning.ready || undefined}
        data-draws={draws || undefined}
        onPointerDown={(event) => press(event, { kind: 'card' })}
        onPointerMove={(event) => {
          move(event);
          presence.setPointer(toCard(event));
        }}
        onPointerLeave={() => presence.setPointer(null)}
        onPointerUp={() => end('up')}
        onPointerCancel={() => end('cancel')}
      >
        <div
          ref={sheet}
          className={css.sheet}
          style={{ width: (w + bleed * 2) * scale, height: (h + bleed * 2) * scale }}
        >
          <canvas ref={canvas} className={css.canvas} aria-hidden />
          <SheetLines scene={scene} scale={scale} />
          <div
            className={css.overlay}
            style={{ transform: `translate(${bleed * scale}px, ${bleed * scale}px)` }}
          >
            {boxes.map((frame) => (
              <ZoneBox
                key={frame.id}
                frame={frame}
                scale={scale}
                selected={selection.includes(frame.zone)}
                locked={findZone(scene, frame.zone)?.locked ?? false}
                alone={selection.length === 1 && selection[0] === frame.zone}
                onPress={onPress}
                onSelect={onSelect}
              />
            ))}
            <SpaceOutlines scene={scene} frames={list?.zones ?? []} selection={selection} scale={scale} />
            <MapPainter model={model} frames={boxes} scale={scale} toCard={toCard} />
            <EdgePainter model={model} frames={boxes} scale={scale} toCard={toCard} />
            <PathPoints model={model} frames={boxes} scale={scale} toCard={toCard} />
            {group && <GroupHandles box={group} scale={scale} onPress={press} />}
            {rulers && <GuideLines model={model} guides={guides} scale={scale} />}
            <Hints model={model} scale={scale} />
            <PeerCursors presence={presence} frames={boxes} scale={scale} />
            {written?.kind === 'text' && writtenFrame && (
              <TextWriter key={written.id} zone={written} frame={writtenFrame} scale={scale} model={model} />
            )}
          </div>
        </div>
        {unpainted && (
          <p className={css.unpainted} role="note">
            Opened without pictures. Choose zones in the list of layers, take out what was too much, and load
            the page anew.
          </p>
        )}
        {error && (
          <div className={css.error}>
            <Problem title="The card could not be painted.">{error.message}</Problem>
          </div>
        )}
      </div>
      {rulers && (
        <Rulers
          area={area}
          sheet={sheet}
          scale={scale}
          bleed={bleed}
          unit={unit}
          onGuide={(event, axis) => guides.begin(event, axis, -1)}
        />
      )}
      {list && <Issues issues={list.issues} model={model} />}
      <DrawingHint model={model} />
      <ZoomButtons zoom={zoom} />
    </section>
  );
}
