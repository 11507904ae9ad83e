/** The cards in the order of these ids: those that are gone are left out, and new ones come last. */
export function inOrder<T extends { readonly id: string }>(
  cards: readonly T[],
  order: readonly string[] | undefined,
): readonly T[] {
  if (!order) return cards;
  const left = new Map(cards.map((card) => [card.id, card]));
  const known = order.flatMap((id) => {
    const card = left.get(id);
    left.delete(id);
    return card ?? [];
  });
  return [...known, ...left.values()];
}
