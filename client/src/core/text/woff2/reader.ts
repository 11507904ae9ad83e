/** Reads big-endian numbers and those of WOFF 2; every read past the end throws a RangeError. */
export class Reader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.#view.getUint16(this.at - 2);
  }

  i16(): number {
    this.at += 2;
    return this.#view.getInt16(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.#view.getUint32(this.at - 4);
  }

  bytes(count: number): Uint8Array {
    if (count > this.#bytes.length - this.at) throw new RangeError('The data end too early.');
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }

  /** Seven bits a byte, five bytes at most (UIntBase128). */
  base128(): number {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = this.u8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number is longer than five bytes.');
  }

  /** One to three bytes (255UInt16). */
  packed16(): number {
    const code = this.u8();
    if (code === 253) return this.u16();
    if (code === 254) return 506 + this.u8();
    return code === 255 ? 253 + this.u8() : code;
  }
}
