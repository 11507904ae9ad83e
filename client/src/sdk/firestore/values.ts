import { FirestoreError } from './error.ts';

/** Bytes in a field. */
export class Bytes {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  static fromUint8Array(bytes: Uint8Array): Bytes {
    return new Bytes(bytes.slice());
  }

  static fromBase64String(text: string): Bytes {
    return new Bytes(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  }

  toUint8Array(): Uint8Array {
    return this.#bytes.slice();
  }

  toBase64(): string {
    let binary = '';
    for (const byte of this.#bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  }

  isEqual(other: Bytes): boolean {
    return this.toBase64() === other.toBase64();
  }
}

/** A place on Earth. */
export class GeoPoint {
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;

  constructor(latitude: number, longitude: number) {
    if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
      throw new FirestoreError(
        'invalid-argument',
        `A place must lie within 90 degrees north or south and 180 east or west, not (${latitude}, ${longitude}).`,
      );
    }
    this.latitude = latitude;
    this.longitude = longitude;
  }

  isEqual(other: GeoPoint): boolean {
    return other.latitude === this.latitude && other.longitude === this.longitude;
  }
}
