/**
 * Cuts an endless JSON array, arriving in pieces, into its elements. Elements are objects; a piece
 * may end anywhere, in the middle of a string or of an escape.
 */
export class JsonArraySplitter {
  #buffer = '';
  #scanned = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #start = -1;

  /** Takes the next piece and answers the elements it completed, as JSON text. */
  push(piece: string): string[] {
    this.#buffer += piece;
    const elements: string[] = [];
    for (; this.#scanned < this.#buffer.length; this.#scanned++) {
      const end = this.#step(this.#buffer.charCodeAt(this.#scanned));
      if (end) elements.push(this.#buffer.slice(this.#start, this.#scanned + 1));
    }
    this.#drop(elements.length > 0);
    return elements;
  }

  /** Reads one character; true when it closes an element. */
  #step(char: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === BACKSLASH) this.#escaped = true;
      else if (char === QUOTE) this.#inString = false;
      return false;
    }
    if (char === QUOTE) {
      this.#inString = true;
    } else if (char === OPEN) {
      if (this.#depth === 0) this.#start = this.#scanned;
      this.#depth++;
    } else if (char === CLOSE && this.#depth > 0) {
      this.#depth--;
      return this.#depth === 0;
    }
    return false;
  }

  /** Lets go of what is done with. */
  #drop(completed: boolean): void {
    if (this.#depth === 0 && !this.#inString) {
      this.#buffer = '';
      this.#scanned = 0;
    } else if (completed) {
      this.#buffer = this.#buffer.slice(this.#start);
      this.#scanned -= this.#start;
      this.#start = 0;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
