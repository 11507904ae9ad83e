/** A component's place in its project. */
export interface Placed {
  readonly id: string;
  readonly order: number;
}

/**
 * The places that change when one component goes before or behind its neighbour; none at either end.
 * @param components in their order
 * @param by -1 towards the beginning, 1 towards the end
 */
export function moved(components: readonly Placed[], id: string, by: -1 | 1): readonly Placed[] {
  const from = components.findIndex((one) => one.id === id);
  const to = from + by;
  const [one, other] = [components[from], components[to]];
  if (!one || !other) return [];
  const next = [...components];
  next[from] = other;
  next[to] = one;
  // Numbers may be missing or twice, after deletions and when two people add at once: all are told anew.
  return next.flatMap((each, order) => (each.order === order ? [] : [{ id: each.id, order }]));
}
