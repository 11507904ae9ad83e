import { Button, NativeSelect } from '@mantine/core';
import { FileDown } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Painting } from '../../../core/imposition/images/painting.ts';
import { cardName } from '../../../core/imposition/job/card-name.ts';
import { printerEntries, printerPdf, safeMm } from '../../../core/printers/printer-job.ts';
import {
  fittingProducts,
  PRINTERS,
  type Printer,
  type Product,
  productsOf,
  sizesOffered,
} from '../../../core/printers/products.ts';
import { isolated } from '../../../core/text/names.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import type { NamedRequest, SafeIssue } from '../../../workers/export/export-protocol.ts';
import { BundleForm, type PlannedBundle, plannedBundle } from './bundle-form.tsx';
import { ExportProgressBar, ExportResult } from './export-result.tsx';
import type { TargetProps } from './export-targets.ts';
import { fileOrFiles, type SeveralLanguages } from './languages/other-languages.ts';
import { PaintingPreview } from './painting-preview.tsx';
import css from './print.module.css';
import { type Exporting, useExport } from './use-export.ts';

const CUT = '#d0021b';
const SAFE = '#0a7d3c';
/** Most cards named that come too near the cut. */
const MAX_NAMED = 12;

/** The cut and the safe zone drawn over a canvas, for the preview only. */
function withZones(painting: Painting, product: Product): Painting {
  const [item] = painting.items;
  if (!item) return painting;
  const { w, h } = item.layout.size;
  const frame = (inset: number, color: string) => {
    const [left, top] = [item.x + inset, item.y + inset];
    const [right, bottom] = [item.x + w * item.scale - inset, item.y + h * item.scale - inset];
    const line = { color, width: 1.25, dash: [5, 4] };
    return [
      { x1: left, y1: top, x2: right, y2: top, ...line },
      { x1: right, y1: top, x2: right, y2: bottom, ...line },
      { x1: right, y1: bottom, x2: left, y2: bottom, ...line },
      { x1: left, y1: bottom, x2: left, y2: top, ...line },
    ];
  };
  return { ...painting, lines: [...frame(0, CUT), ...frame(product.safe, SAFE)] };
}

/** Files exactly as a printing house wants them. */
export function PrintersPanel({ title, projectParts, several }: Omit<TargetProps, 'project'>) {
  const exporting = useExport();
  const [printerId, setPrinter] = useState<Printer['id']>('mpc');
  const [productId, setProduct] = useState('');
  const [componentId, setComponent] = useState('');
  const printer = PRINTERS.find(({ id }) => id === printerId);
  const one = projectParts.find(({ component }) => component.id === componentId) ?? projectParts[0];
  if (!one || !printer) return null;
  const fitting = fittingProducts(printer.id, one.part.layout.size);
  const product = fitting.find(({ id }) => id === productId) ?? fitting[0];
  const fields = (
    <>
      <NativeSelect
        label="Printer"
        value={printer.id}
        data={PRINTERS.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => setPrinter(event.currentTarget.value as Printer['id'])}
      />
      {projectParts.length > 1 && (
        <NativeSelect
          label="Cards"
          description="One order is one set of cards."
          value={one.component.id}
          data={projectParts.map(({ component }) => ({ value: component.id, label: component.name }))}
          onChange={(event) => setComponent(event.currentTarget.value)}
        />
      )}
      {product && (
        <NativeSelect
          label="Product"
          value={product.id}
          data={fitting.map(({ id, name, w, h }) => ({ value: id, label: `${name}, ${w} × ${h} mm` }))}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
      )}
    </>
  );
  if (!product) {
    const { w, h } = one.part.layout.size;
    return (
      <div className={css.columns}>
        <div className={css.options}>{fields}</div>
        <div className={css.preview}>
          <Problem title={`${isolated(printer.name)} makes nothing of ${w} × ${h} mm that is known here.`}>
            Give the layout one of its {productsOf(printer.id).length} sizes: {sizesOffered(printer.id)}.
          </Problem>
        </div>
      </div>
    );
  }
  const props = { one, product, printer, fields, exporting, several };
  const name = fileFor(printer, title || one.component.name || 'cards');
  return printer.delivers === 'zip' ? (
    <PrinterZip {...props} fileName={`${name}.zip`} />
  ) : (
    <PrinterPdf {...props} fileName={`${name}.pdf`} />
  );
}

interface PanelProps {
  one: ProjectPart;
  product: Product;
  printer: Printer;
  fields: React.ReactNode;
  exporting: Exporting;
  several: SeveralLanguages | undefined;
  fileName: string;
}

const planZip = ({ part }: ProjectPart, product: Product): PlannedBundle =>
  plannedBundle(() => printerEntries(part, product));

/** Name of a file for a printing house, without its ending. */
const fileFor = (printer: Printer, title: string): string => `${title} for ${isolated(printer.name)}`;

/** The same cards in another language. */
const sameCards = (parts: readonly ProjectPart[], one: ProjectPart): ProjectPart =>
  parts.find(({ id }) => id === one.id) ?? one;

function PrinterZip({ one, product, printer, fields, exporting, several, fileName }: PanelProps) {
  const planned = useMemo(() => planZip(one, product), [one, product]);
  return (
    <BundleForm
      planned={planned}
      fileName={fileName}
      several={several}
      planIn={(title, parts) => ({
        planned: planZip(sameCards(parts, one), product),
        fileName: `${fileFor(printer, title)}.zip`,
      })}
      action="Export a ZIP"
      preview={false}
      exporting={exporting}
      note={printer.note}
      aside={<SafeZone one={one} product={product} exporting={exporting} />}
    >
      {fields}
      <Facts product={product} />
      {!one.part.back && (
        <p className={css.hint}>No back is chosen: choose one above, or upload one at the printer.</p>
      )}
    </BundleForm>
  );
}

function pdfFile({ part }: ProjectPart, product: Product, name: string): NamedRequest {
  const { part: printed, settings } = printerPdf(part, product);
  const { name: title } = printed;
  return { name, request: { kind: 'pdf', parts: [printed], settings, title, fileName: title } };
}

function PrinterPdf({ one, product, printer, fields, exporting, several, fileName }: PanelProps) {
  const { work, start, cancel } = exporting;
  const planned = useMemo(() => {
    try {
      const [first] = printerEntries(one.part, product);
      const painting = first?.kind === 'painting' ? first.painting : undefined;
      return { ...printerPdf(one.part, product), painting };
    } catch (error) {
      return { problem: describeError(error) };
    }
  }, [one.part, product]);
  return (
    <div className={css.columns}>
      <form
        className={css.options}
        onSubmit={(event) => {
          event.preventDefault();
          if (planned.problem !== undefined) return;
          const file = fileOrFiles(pdfFile(one, product, fileName), several, (title, parts) =>
            pdfFile(sameCards(parts, one), product, `${fileFor(printer, title)}.pdf`),
          );
          if (file) void start(file.request, file.name);
        }}
      >
        {fields}
        <Facts product={product} />
        {work.at === 'running' ? (
          <ExportProgressBar
            work={work}
            label={`Making the PDF for ${isolated(printer.name)}`}
            onCancel={cancel}
          />
        ) : (
          <Button
            type="submit"
            size="md"
            disabled={planned.problem !== undefined}
            leftSection={<FileDown size={18} aria-hidden />}
          >
            Export a PDF
          </Button>
        )}
        <ExportResult work={work} summary={({ pages, cards }) => `${pages} pages, ${cards} cards`} />
        <p className={css.hint}>{printer.note}</p>
      </form>
      <div className={css.preview}>
        {planned.problem !== undefined && <Problem title={planned.problem} />}
        <SafeZone one={one} product={product} exporting={exporting} />
      </div>
    </div>
  );
}

function Facts({ product }: { product: Product }) {
  const { canvas } = product;
  return (
    <p className={css.hint}>
      {canvas.width} × {canvas.height} pixels at 300 dots per inch, text {safeMm(product).toFixed(2)} mm
      inside the cut.
    </p>
  );
}

/** A card with its cut and safe zone, and the cards whose text leaves the zone. */
function SafeZone({ one, product, exporting }: { one: ProjectPart; product: Product; exporting: Exporting }) {
  const [found, setFound] = useState<{ of: unknown; issues: readonly SafeIssue[] }>();
  const { exporter } = exporting;
  const key = useMemo(() => ({ part: one.part, product }), [one.part, product]);
  useEffect(() => {
    const abort = new AbortController();
    exporter()
      .safeZone({ part: key.part, safe: safeMm(key.product) }, { signal: abort.signal })
      .then(
        (issues) => setFound({ of: key, issues }),
        (error) => {
          if (!abort.signal.aborted) console.warn('The safe zone was not checked.', error);
        },
      );
    return () => abort.abort();
  }, [key, exporter]);
  const painting = useMemo(() => {
    try {
      const [first] = printerEntries(one.part, product);
      return first?.kind === 'painting' ? withZones(first.painting, product) : undefined;
    } catch {
      // Said where the files are planned.
      return undefined;
    }
  }, [one.part, product]);
  const issues = found?.of === key ? found.issues : undefined;
  return (
    <>
      {issues && issues.length === 0 && (
        <p className={css.good} role="status">
          All text keeps clear of the cut.
        </p>
      )}
      {issues && issues.length > 0 && (
        <Problem title="Text comes too near the cut, and may be cut off.">
          <ul>
            {issues.slice(0, MAX_NAMED).map(({ card, side, text, distance }) => (
              <li key={`${card} ${side} ${text} ${distance}`}>
                {cardName(one.part.cards[card]?.row ?? { cells: {} }, one.part.columns, card)}
                {side === 'back' && ', back'}: “{text}”, {distance} mm
              </li>
            ))}
            {issues.length > MAX_NAMED && <li>and {issues.length - MAX_NAMED} more</li>}
          </ul>
        </Problem>
      )}
      {painting && <PaintingPreview painting={painting} caption="Red is the cut, green is the safe zone" />}
    </>
  );
}
