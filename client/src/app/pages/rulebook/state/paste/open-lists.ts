/** A list that is open, and the level of its items. */
interface OpenList {
  readonly level: number;
  readonly element: HTMLElement;
}

/**
 * Makes lists in lists of items that come one after the other, each with its level. A level that is left out makes no list of
 * its own: items of levels 1 and 3 stand one list apart.
 */
export class OpenLists {
  /** The lists that are open, the outermost first. */
  #open: OpenList[] = [];

  /** The next item begins a list of its own. */
  end(): void {
    this.#open = [];
  }

  get outermost(): HTMLElement | undefined {
    return this.#open[0]?.element;
  }

  /**
   * A new item at the end of the list of its level, which is made where there is none.
   * @param level from 1; it may be deeper than the lists that are open by more than one
   * @param place puts an outermost list into the document
   */
  add(level: number, numbered: boolean, place: (list: HTMLElement) => void): HTMLElement {
    const tag = numbered ? 'OL' : 'UL';
    this.#open = this.#open.filter((list) => list.level <= level);
    const before = this.#open.at(-1);
    const item = document.createElement('li');
    if (before?.level === level && before.element.tagName === tag) {
      before.element.append(item);
      return item;
    }
    const element = document.createElement(tag);
    if (before?.level === level) {
      before.element.after(element);
      this.#open.pop();
    } else if (before) before.element.lastElementChild?.append(element);
    else place(element);
    this.#open.push({ level, element });
    element.append(item);
    return item;
  }
}
