/** Makes lists in lists of items that come one after the other, each with its level. */
export class OpenLists {
  /** The lists that are open, the outermost first. */
  #open: HTMLElement[] = [];

  /** The next item begins a list of its own. */
  end(): void {
    this.#open = [];
  }

  get outermost(): HTMLElement | undefined {
    return this.#open[0];
  }

  /**
   * A new item at the end of the list of its level, which is made where there is none.
   * @param level from 1; it may be deeper than the lists that are open by more than one
   * @param place puts an outermost list into the document
   */
  add(level: number, numbered: boolean, place: (list: HTMLElement) => void): HTMLElement {
    const tag = numbered ? 'OL' : 'UL';
    this.#open = this.#open.slice(0, level);
    const list = this.#open.at(-1);
    const item = document.createElement('li');
    if (list && this.#open.length === level && list.tagName === tag) {
      list.append(item);
      return item;
    }
    const made = document.createElement(tag);
    if (list && this.#open.length === level) {
      list.after(made);
      this.#open[this.#open.length - 1] = made;
    } else {
      if (list) list.lastElementChild?.append(made);
      else place(made);
      this.#open.push(made);
    }
    made.append(item);
    return item;
  }
}
