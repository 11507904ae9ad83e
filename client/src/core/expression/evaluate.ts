import { FUNCTIONS, findFunction, modulo } from './functions.ts';
import { ExpressionFault } from './lexer.ts';
import type { BinaryOperator, Node } from './parser.ts';
import { compare, listOf, MAX_LIST, MAX_TEXT, numberOf, textOf, truthOf, type Value } from './value.ts';

/**
 * Value of each name in an expression; undefined for an unknown name. With a language, names of columns alone have values:
 * their words in that language. Throws an `Error` that says so where there is no such language.
 */
export interface Scope {
  (name: string, language?: string): Value | undefined;
  /** Other cards, where a formula is of a whole project. */
  readonly project?: ProjectScope;
}

/** The cards of a project, as formulas of its texts see them. */
export interface ProjectScope {
  /** Value of a column of a card; null without such a column, undefined without such a card. */
  field(card: string, column: string): Value | null | undefined;
  /** The cards of a component; undefined without such a component. */
  cards(component: string): readonly ScopedCard[] | undefined;
}

export interface ScopedCard {
  readonly scope: Scope;
  readonly copies: number;
}

/** Most steps of one evaluation; each item that a function walks counts as one. */
export const MAX_STEPS = 50_000;
/** Characters read or made in about the time of a step. */
const CHARACTERS_A_STEP = 16;

/** Steps that several evaluations share, such as those of a table. */
export interface StepBudget {
  left: number;
}

/** Evaluates a parsed expression. @throws ExpressionFault where evaluation fails */
export function run(node: Node, scope: Scope, budget?: StepBudget): Value {
  return new Evaluator(scope, budget).value(node);
}

/** Steps needed to walk a value once. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_A_STEP);
  if (typeof value !== 'object') return 0;
  return value.reduce<number>((sum, item) => sum + 1 + sizeOf(item), 0);
}

/** Steps charged for a function call with these arguments. */
function workOf(name: string, given: readonly Value[]): number {
  const once = given.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  // Its pattern is tried at every letter.
  if (name === 'title') return once * 4;
  if (name !== 'sort') return once;
  const items = listOf(given[0] ?? '');
  // Each item is compared with others about as often as its place has binary digits.
  return once + Math.ceil(Math.log2(items.length + 1)) * sizeOf(items);
}

/** Functions over the cards of a component, where there is a project. */
const OVER_CARDS: ReadonlySet<string> = new Set(['count', 'total']);

/** Message of evaluations whose shared budget is spent. */
export const TOO_MANY_TOGETHER = 'The formulas here take too long together: make them fewer or simpler.';

class Evaluator {
  #scope: Scope;
  /** Of the whole formula: scopes of single cards know no project. */
  readonly #project: ProjectScope | undefined;
  readonly #budget: StepBudget | undefined;
  #steps = 0;

  constructor(scope: Scope, budget: StepBudget | undefined) {
    this.#scope = scope;
    this.#project = scope.project;
    this.#budget = budget;
  }

  value(node: Node): Value {
    this.#spend(1, node);
    const value = this.#worked(node);
    if (typeof value === 'string') this.#spend(sizeOf(value), node);
    return value;
  }

  #spend(steps: number, node: Node): void {
    this.#steps += steps;
    if (this.#budget) {
      this.#budget.left -= steps;
      if (this.#budget.left < 0) throw new ExpressionFault(TOO_MANY_TOGETHER, node.at, node.end);
    }
    if (this.#steps > MAX_STEPS)
      throw new ExpressionFault(`The formula takes more than ${MAX_STEPS} steps.`, node.at, node.end);
  }

  #worked(node: Node): Value {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'name':
        return this.#name(node);
      case 'field':
        return this.#field(node);
      case 'language':
        return this.#inLanguage(node);
      case 'unary':
        if (node.operator === 'not') return !truthOf(this.value(node.operand));
        return -this.#number(node.operand);
      case 'choice':
        return this.value(truthOf(this.value(node.test)) ? node.then : node.otherwise);
      case 'binary':
        return this.#binary(node);
      case 'call':
        return this.#call(node);
    }
  }

  #name(node: Node & { kind: 'name' }): Value {
    const value = this.#scope(node.name);
    if (value !== undefined) return value;
    throw new ExpressionFault(`There is no column or variable «${node.name}».`, node.at, node.end);
  }

  #field(node: Node & { kind: 'field' }): Value {
    const { card, column, at, end } = node;
    const project = this.#project;
    if (!project) throw new ExpressionFault('Only texts of a project know other cards.', at, end);
    const value = project.field(card, column);
    if (value === undefined) throw new ExpressionFault(`There is no card «${card}».`, at, end);
    if (value === null) throw new ExpressionFault(`The card «${card}» has no column «${column}».`, at, end);
    return value;
  }

  /** `lang("de").text`: a column in another language; the column itself where it is not translated. */
  #inLanguage({ language, column, at, end }: Node & { kind: 'language' }): Value {
    let value: Value | undefined;
    try {
      value = this.#scope(column, language);
    } catch (error) {
      throw new ExpressionFault(error instanceof Error ? error.message : String(error), at, end);
    }
    if (value !== undefined) return value;
    throw new ExpressionFault(`There is no column «${column}».`, at, end);
  }

  /** `count(Cards, cost > 3)` and `total(Cards, cost)`: what follows the component is worked out for each of its cards. */
  #overCards(node: Node & { kind: 'call' }, project: ProjectScope): Value {
    const { name, at, end } = node;
    const isCount = name.toLowerCase() === 'count';
    const [of, each, ...more] = node.arguments;
    if (of?.kind !== 'name' || more.length > 0 || (!isCount && !each)) {
      const usage = isCount ? 'count(component) or count(component, condition)' : 'total(component, value)';
      throw new ExpressionFault(`${name} is written ${usage}.`, at, end);
    }
    const cards = project.cards(of.name);
    if (!cards) throw new ExpressionFault(`There is no component «${of.name}».`, of.at, of.end);
    const outer = this.#scope;
    let sum = 0;
    try {
      for (const { scope, copies } of cards) {
        this.#scope = scope;
        this.#spend(1, node);
        if (isCount) sum += !each || truthOf(this.value(each)) ? copies : 0;
        else if (each) sum += copies * this.#number(each);
      }
    } finally {
      this.#scope = outer;
    }
    return finite(sum, node);
  }

  #number(node: Node): number {
    const value = this.value(node);
    const number = numberOf(value);
    if (number !== undefined) return number;
    const shown = textOf(value).slice(0, 30);
    throw new ExpressionFault(
      shown === '' ? 'A number is missing here: the value is empty.' : `«${shown}» is not a number.`,
      node.at,
      node.end,
    );
  }

  #binary(node: Node & { kind: 'binary' }): Value {
    const { operator, left, right } = node;
    if (operator === 'and') return truthOf(this.value(left)) && truthOf(this.value(right));
    if (operator === 'or') return truthOf(this.value(left)) || truthOf(this.value(right));
    if (operator === '??') {
      const value = this.value(left);
      return textOf(value).trim() === '' ? this.value(right) : value;
    }
    if (['==', '!=', '<', '<=', '>', '>='].includes(operator))
      return compared(operator, this.value(left), this.value(right));
    if (operator === '&') return bounded(textOf(this.value(left)) + textOf(this.value(right)), node);
    if (operator === '+') {
      const [a, b] = [this.value(left), this.value(right)];
      const [first, second] = [numberOf(a), numberOf(b)];
      if (first !== undefined && second !== undefined) return finite(first + second, node);
      return bounded(textOf(a) + textOf(b), node);
    }
    return finite(arithmetic(operator, this.#number(left), this.#number(right), node), node);
  }

  #call(node: Node & { kind: 'call' }): Value {
    if (node.name.toLowerCase() === 'if') return this.#if(node);
    const project = this.#project;
    if (project && OVER_CARDS.has(node.name.toLowerCase())) return this.#overCards(node, project);
    const found = findFunction(node.name);
    if (!found) throw new ExpressionFault(unknownFunction(node.name), node.at, node.at + node.name.length);
    const count = node.arguments.length;
    if (count < found.min || count > found.max)
      throw new ExpressionFault(`${found.name} is written ${found.usage}.`, node.at, node.end);
    const given = node.arguments.map((argument) => this.value(argument));
    this.#spend(workOf(found.name, given), node);
    let result: Value;
    try {
      result = found.run(given);
    } catch (error) {
      throw new ExpressionFault(error instanceof Error ? error.message : String(error), node.at, node.end);
    }
    if (typeof result === 'string') return bounded(result, node);
    if (typeof result === 'number') return finite(result, node);
    if (typeof result === 'object') {
      if (result.length > MAX_LIST)
        throw new ExpressionFault(`A list has at most ${MAX_LIST} items.`, node.at, node.end);
      this.#spend(sizeOf(result), node);
    }
    return result;
  }

  #if(node: Node & { kind: 'call' }): Value {
    const [test, then, otherwise] = node.arguments;
    if (!test || !then || node.arguments.length > 3)
      throw new ExpressionFault('if is written if(test, then, otherwise).', node.at, node.end);
    if (truthOf(this.value(test))) return this.value(then);
    return otherwise ? this.value(otherwise) : '';
  }
}

function compared(operator: BinaryOperator, a: Value, b: Value): boolean {
  const order = compare(a, b);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

function arithmetic(operator: BinaryOperator, a: number, b: number, node: Node): number {
  if ((operator === '/' || operator === '%') && b === 0)
    throw new ExpressionFault('Nothing can be divided by 0.', node.at, node.end);
  switch (operator) {
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return modulo(a, b);
    default:
      return a ** b;
  }
}

function bounded(text: string, node: Node): string {
  if (text.length <= MAX_TEXT) return text;
  throw new ExpressionFault(`The text would be longer than ${MAX_TEXT} characters.`, node.at, node.end);
}

function finite(value: number, node: Node): number {
  if (Number.isFinite(value)) return value;
  throw new ExpressionFault('The result is not a number that can be shown.', node.at, node.end);
}

function unknownFunction(name: string): string {
  const wanted = name.toLowerCase();
  const near = FUNCTIONS.find((one) => isNear(one.name.toLowerCase(), wanted));
  return `There is no function ${name}${near ? `; did you mean ${near.name}?` : '.'}`;
}

/** True if the names are one edit apart (a letter added, left out or changed), or one begins the other. */
function isNear(a: string, b: string): boolean {
  if (b.length > 2 && (a.startsWith(b) || b.startsWith(a))) return true;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return a.length > 2 && Math.max(a.length, b.length) - start - end <= 1;
}
