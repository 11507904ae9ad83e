/** Names that share less than this with another are not like it. */
const LEAST_ALIKE = 0.4;

/** Pairs of neighbouring letters of a name, beginnings and ends of words among them. */
function pairsOf(name: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const word of name.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    if (word === '') continue;
    const letters = [...` ${word} `];
    for (let at = 0; at + 1 < letters.length; at++) pairs.add(`${letters[at]}${letters[at + 1]}`);
  }
  return pairs;
}

/** Names among which the one that is most like another is found, as often as is asked. */
export class SimilarNames {
  readonly #names: readonly string[];
  /** The pairs of every name, made for the first question. */
  #pairs: readonly (readonly [name: string, pairs: ReadonlySet<string>])[] | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** The name that is most like one that is gone, if any is: most of their pairs of letters are the same. */
  find(gone: string): string | undefined {
    this.#pairs ??= this.#names.map((name) => [name, pairsOf(name)]);
    const wanted = pairsOf(gone);
    let found: string | undefined;
    let best = LEAST_ALIKE;
    for (const [name, pairs] of this.#pairs) {
      let shared = 0;
      for (const pair of wanted) if (pairs.has(pair)) shared++;
      const alike = (2 * shared) / (wanted.size + pairs.size || 1);
      if (alike > best) [best, found] = [alike, name];
    }
    return found;
  }
}
