/**
 * Tells places apart that floating-point arithmetic gives in several ways. Rounding to a decimal does not: two values that
 * differ by one bit on either side of a half round apart.
 */
export class NearPlaces {
  readonly #near: number;
  /** Places known so far, by square of the plane. */
  readonly #squares = new Map<string, { x: number; y: number; name: number }[]>();
  #count = 0;

  /** @param near places of at most this distance along both axes are one, in the unit of the places */
  constructor(near: number) {
    this.#near = near;
  }

  /** A number for the place: the same one for every place near the first that was asked for. */
  nameOf(x: number, y: number): number {
    const [column, row] = [x, y].map((at) => Math.floor(at / this.#near)) as [number, number];
    for (let c = column - 1; c <= column + 1; c++) {
      for (let r = row - 1; r <= row + 1; r++) {
        const known = this.#squares
          .get(`${c} ${r}`)
          ?.find((place) => Math.abs(place.x - x) <= this.#near && Math.abs(place.y - y) <= this.#near);
        if (known) return known.name;
      }
    }
    const square = `${column} ${row}`;
    const name = this.#count++;
    this.#squares.set(square, [...(this.#squares.get(square) ?? []), { x, y, name }]);
    return name;
  }
}
