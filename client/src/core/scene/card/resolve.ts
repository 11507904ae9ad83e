import { CELL_LABELS } from '../../board/labels.ts';
import {
  type ExpressionError,
  evaluate,
  evaluateText,
  hasFormula,
  type Scope,
  type StepBudget,
  textOf,
  truthOf,
} from '../../expression/expression.ts';
import { rowScope } from '../../expression/row-scope.ts';
import { cellAt } from '../../records.ts';
import { findFamily } from '../../text/fonts/catalogue.ts';
import { inchToMm, mmToPt, ptToMm } from '../../units.ts';
import type { Binding } from '../binding.ts';
import { parseColour } from '../colour/colour.ts';
import type { Issue } from '../display/display-list.ts';
import { type BaseZone, baseZoneSchema } from '../layout.ts';
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { MAX_SOURCE_LENGTH } from '../style/paint.ts';
import { definitionOf, type Zone } from '../zones.ts';
import { type Column, printedCells, type Row } from './row.ts';
import { styleOverrides } from './style-override.ts';

/**
 * A zone as one card has it: every bound property replaced by its column's cell or its formula's value, and the
 * formulas inside its text evaluated. An empty cell leaves the zone's own value in place, except for text and image
 * sources, where empty means empty. A value that does not fit its property is reported and left out.
 */
export interface Resolved<T> {
  readonly zone: T;
  readonly issues: readonly Issue[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
interface JsonObject {
  [key: string]: Json;
}

/** Properties that identify a zone rather than style it: never bound to data. */
const UNBINDABLE = new Set([
  'id',
  'kind',
  'bindings',
  'children',
  'locked',
  'name',
  'visibleIf',
  'languages',
]);
/** A text, or the image of a zone or a part of it: cells are taken as they are, and an empty one means none. */
const isContent = (path: string): boolean => path === 'text' || path.split('.').at(-1) === 'source';
/** Properties that tell entries of lists apart: paths name an entry by it or by its number. */
const ENTRY_KEYS = ['symbol', 'id'];
const MAX_PATH_DEPTH = 6;
const MAX_CONTENT_LENGTH = Math.max(MAX_TEXT_LENGTH, MAX_SOURCE_LENGTH);

/**
 * @param columns columns of the table, to tell an empty cell from a deleted column
 * @param scope names that formulas know; by default the row alone
 */
export function resolve<T extends Zone | BaseZone>(
  zone: T,
  row: Row,
  columns: readonly Column[] = [],
  scope?: Scope,
  steps?: StepBudget,
): Resolved<T> {
  const bindings = Object.entries(zone.bindings);
  const overrides = 'name' in zone ? styleOverrides(zone.name, row, columns) : [];
  if (bindings.length + overrides.length === 0 && !contentHasFormula(zone)) return NO_ISSUES(zone);
  const resolver = new Resolver(zone.id, row, columns, scope, steps);
  let resolved = zone;
  const driven = bindings.map(([path, binding]) => [path, resolver.cellOf(binding, path)] as const);
  for (const [path, cell] of [...driven, ...overrides]) {
    if (cell === undefined || (cell.trim() === '' && !isContent(path))) continue;
    const changed = withValue(resolved, path, cell);
    if (changed) resolved = changed;
    else {
      const message = `«${shorten(cell)}» does not fit ${path}: the zone's own value is used.`;
      resolver.report({ code: 'bad-value', message, path });
    }
  }
  return { zone: resolver.content(resolved), issues: resolver.issues };
}

const NO_ISSUES = <T>(zone: T): Resolved<T> => ({ zone, issues: [] });

/** Evaluates a zone's visibility formula. A formula that fails shows the zone and is reported. */
export function isVisible(zone: Zone, scope: Scope, issues: Issue[], steps?: StepBudget): boolean {
  if (zone.visibleIf.trim() === '') return true;
  const result = evaluate(zone.visibleIf, scope, steps);
  if (result.ok) return truthOf(result.value);
  issues.push({
    zone: zone.id,
    code: 'formula',
    path: 'visibleIf',
    ...faultMessage('visibleIf', result.error),
  });
  return true;
}

/** Message for the designer about a property's formula. */
export function faultMessage(path: string, error: ExpressionError): { message: string; at: number } {
  return { message: `Formula of ${path}, character ${error.at + 1}: ${error.message}`, at: error.at };
}

function contentHasFormula(zone: Zone | BaseZone): boolean {
  return ('text' in zone && hasFormula(zone.text)) || ('source' in zone && hasFormula(zone.source));
}

class Resolver {
  readonly issues: Issue[] = [];
  readonly #zone: string;
  readonly #row: Row;
  readonly #columns: readonly Column[];
  readonly #steps: StepBudget | undefined;
  #scope: Scope | undefined;

  constructor(
    zone: string,
    row: Row,
    columns: readonly Column[],
    scope: Scope | undefined,
    steps: StepBudget | undefined,
  ) {
    this.#steps = steps;
    this.#zone = zone;
    this.#row = row;
    this.#columns = columns;
    this.#scope = scope;
  }

  get scope(): Scope {
    this.#scope ??= rowScope(this.#row, this.#columns);
    return this.#scope;
  }

  report(issue: Omit<Issue, 'zone'>): void {
    this.issues.push({ zone: this.#zone, ...issue });
  }

  /** Text that a property is bound to; undefined when its own value stands. */
  cellOf(binding: Binding, path: string): string | undefined {
    if (binding.mode === 'formula') {
      const result = evaluate(binding.formula, this.scope, this.#steps);
      if (result.ok) return textOf(result.value);
      this.report({ code: 'formula', path, ...faultMessage(path, result.error) });
      return undefined;
    }
    const key = columnKey(binding.column, this.#row, this.#columns);
    if (key !== undefined) {
      return cellAt(path === 'text' ? printedCells(this.#row) : this.#row.cells, key);
    }
    const message = `${path} is bound to the column «${binding.column}», which the table does not have.`;
    this.report({ code: 'unknown-column', message, path });
    return undefined;
  }

  /** The translated cell of a formula that is nothing but the name of its column; nothing for others. */
  #translated(formula: string): string | undefined {
    const { words, cells } = this.#row;
    if (!words) return undefined;
    const key = columnKey(formula.trim(), this.#row, this.#columns);
    if (key === undefined || !Object.hasOwn(words, key)) return undefined;
    // In a repetition the name may be that of an item.
    return this.scope(formula.trim()) === cellAt(cells, key) ? cellAt(words, key) : undefined;
  }

  /** The zone with the formulas inside its text evaluated. */
  content<T extends Zone | BaseZone>(zone: T): T {
    let result = zone;
    for (const path of ['text', 'source'] as const) {
      const value = (zone as unknown as Record<string, unknown>)[path];
      if (typeof value !== 'string' || !hasFormula(value)) continue;
      const { text, errors } = evaluateText(value, this.scope, this.#steps, (formula) =>
        path === 'text' ? this.#translated(formula) : undefined,
      );
      for (const error of errors) this.report({ code: 'formula', path, ...faultMessage(path, error) });
      result = { ...result, [path]: text.slice(0, MAX_CONTENT_LENGTH) };
    }
    return result;
  }
}

function columnKey(name: string, row: Row, columns: readonly Column[]): string | undefined {
  if (Object.hasOwn(row.cells, name) || columns.some(({ key }) => key === name)) return name;
  const wanted = name.trim().toLowerCase();
  const named = columns.find((column) => column.name.trim().toLowerCase() === wanted)?.key;
  if (named !== undefined || columns.length > 0) return named;
  // Without a list of columns none can be reported as missing.
  return Object.keys(row.cells).find((key) => key.trim().toLowerCase() === wanted) ?? name;
}

function withValue<T extends Zone | BaseZone>(zone: T, path: string, cell: string): T | undefined {
  const steps = path.split('.');
  if (steps.length > MAX_PATH_DEPTH || UNBINDABLE.has(steps[0] ?? '')) return undefined;
  const value = replaceAt(zone as unknown as Json, steps, path, cell);
  if (value === undefined) return undefined;
  // Content is text of any kind; only its length could be wrong.
  const fits = isContent(path) ? cell.length <= MAX_CONTENT_LENGTH : valid(value as unknown as T);
  return fits ? (value as unknown as T) : undefined;
}

function valid(zone: Zone | BaseZone): boolean {
  // Children are checked in turn.
  const schema = zone.kind === 'base' ? baseZoneSchema : definitionOf(zone).schema;
  return schema.safeParse(zone).success;
}

function replaceAt(target: Json, steps: readonly string[], path: string, cell: string): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return coerce(target, path, cell);
  if (target === null || typeof target !== 'object') return undefined;
  const key = Array.isArray(target) ? placeOf(target, step) : step;
  if (!Object.hasOwn(target, key)) return undefined;
  const inner = replaceAt((target as JsonObject)[key] ?? null, rest, path, cell);
  if (inner === undefined) return undefined;
  if (Array.isArray(target)) return target.map((item: Json, index) => (String(index) === key ? inner : item));
  return { ...(target as JsonObject), [step]: inner };
}

/** Number of the entry of a list that a step of a path names. */
function placeOf(list: readonly Json[], step: string): string {
  const named = (entry: Json): boolean =>
    entry !== null &&
    typeof entry === 'object' &&
    ENTRY_KEYS.some((key) => (entry as JsonObject)[key] === step);
  const at = list.findIndex(named);
  return at < 0 ? step : String(at);
}

/** The cell as a value of the same type as the literal it replaces. */
function coerce(literal: Json, path: string, cell: string): Json | undefined {
  const text = cell.trim();
  if (typeof literal === 'number') return parseNumber(text, path);
  if (typeof literal === 'boolean') return parseBoolean(text);
  if (typeof literal === 'string') return coerceText(path, cell);
  if (path === 'fill' || path.endsWith('.fill')) {
    return parseColour(text)
      ? { kind: 'solid', color: text }
      : text === 'none'
        ? { kind: 'none' }
        : undefined;
  }
  return undefined;
}

function coerceText(path: string, cell: string): string | undefined {
  if (isContent(path)) return cell;
  const text = cell.trim();
  if (path.endsWith('color')) return parseColour(text) ? text : undefined;
  if (path.endsWith('family')) return findFamily(text)?.id;
  // Tags of fonts and symbols of terrains are case-sensitive.
  if (path === 'data' || path === 'edges' || path.endsWith('axes') || path.endsWith('features')) return text;
  if (path === 'labels') return CELL_LABELS.find((one) => one.toLowerCase() === text.toLowerCase());
  return text.toLowerCase();
}

/** Lengths accept a unit; without one, type sizes are in points and everything else in millimetres. */
function parseNumber(text: string, path: string): number | undefined {
  const match = /^([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(mm|cm|in|"|pt|px|°|%)?$/i.exec(text);
  if (!match) return undefined;
  const value = Number.parseFloat((match[1] ?? '').replace(',', '.'));
  const inPoints = path === 'style.size' || path === 'minSize';
  const toOwn = (mm: number): number => (inPoints ? mmToPt(mm) : mm);
  switch (match[2]?.toLowerCase()) {
    case 'mm':
      return toOwn(value);
    case 'cm':
      return toOwn(value * 10);
    case 'in':
    case '"':
      return toOwn(inchToMm(value));
    case 'px':
      return toOwn(inchToMm(value / 96));
    case 'pt':
      return inPoints ? value : ptToMm(value);
    case '%':
      return path === 'opacity' || path.endsWith('.opacity') ? value / 100 : value;
    default:
      return value;
  }
}

function parseBoolean(text: string): boolean {
  return !['false', '0', 'no', 'n', 'off', '-', ''].includes(text.toLowerCase());
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
