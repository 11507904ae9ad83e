/** Prefix codes of deflate: short codes for frequent symbols. */

/** Longest code, in bits; deflate allows 15. Two of these and a partial byte fit a 32-bit number. */
export const MAX_CODE_BITS = 12;

/**
 * Lengths of codes in bits, 0 for unused symbols.
 * @param frequencies occurrences of each symbol
 * @param limit longest code in bits
 */
export function codeLengths(frequencies: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const used: number[] = [];
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    if ((frequencies[symbol] as number) > 0) used.push(symbol);
  }
  if (used.length <= 2) {
    // Decoders require a complete code: a lone symbol gets a bit as well.
    for (const symbol of used) lengths[symbol] = 1;
    return lengths;
  }
  used.sort((x, y) => (frequencies[x] as number) - (frequencies[y] as number) || x - y);
  const depths = treeDepths(used.map((symbol) => frequencies[symbol] as number));
  shorten(depths, limit);
  for (const [at, symbol] of used.entries()) lengths[symbol] = depths[at] as number;
  return lengths;
}

/** Depths of leaves in Huffman's tree, by two queues: sorted leaves and joined nodes. */
function treeDepths(weights: readonly number[]): Int32Array {
  const leaves = weights.length;
  const sums: number[] = [];
  const parents = new Int32Array(2 * leaves);
  let leaf = 0;
  let joined = 0;
  const least = (): number => {
    const takeLeaf =
      leaf < leaves && (joined >= sums.length || (weights[leaf] as number) <= (sums[joined] as number));
    return takeLeaf ? leaf++ : leaves + joined++;
  };
  const weightOf = (node: number): number => (node < leaves ? weights[node] : sums[node - leaves]) as number;
  for (let made = 0; made < leaves - 1; made++) {
    const one = least();
    const two = least();
    sums.push(weightOf(one) + weightOf(two));
    parents[one] = leaves + made;
    parents[two] = leaves + made;
  }
  const depths = new Int32Array(2 * leaves - 1);
  for (let node = 2 * leaves - 3; node >= 0; node--) {
    depths[node] = (depths[parents[node] as number] as number) + 1;
  }
  return depths.subarray(0, leaves);
}

/** Limits code lengths: the rarest symbols share the space that others give up. */
function shorten(depths: Int32Array, limit: number): void {
  let room = 1 << limit;
  for (let at = 0; at < depths.length; at++) {
    depths[at] = Math.min(depths[at] as number, limit);
    room -= 1 << (limit - (depths[at] as number));
  }
  // The rarest symbol that may still grow gives half its space.
  for (let at = 0; room < 0; ) {
    const depth = depths[at] as number;
    if (depth < limit) {
      depths[at] = depth + 1;
      room += 1 << (limit - depth - 1);
    } else at++;
  }
  // Spare code space goes to the most frequent symbols.
  for (let at = depths.length - 1; at >= 0 && room > 0; at--) {
    let depth = depths[at] as number;
    while (depth > 1 && 1 << (limit - depth) <= room) {
      room -= 1 << (limit - depth);
      depth--;
    }
    depths[at] = depth;
  }
}

/** The codes themselves, bit-reversed as deflate writes them. */
export function codesOf(lengths: Uint8Array): Int32Array {
  const counts = new Uint16Array(17);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length > 0) counts[length] = (counts[length] as number) + 1;
  }
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++) {
    next[length + 1] = ((next[length] as number) + (counts[length] as number)) << 1;
  }
  const codes = new Int32Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length);
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}
