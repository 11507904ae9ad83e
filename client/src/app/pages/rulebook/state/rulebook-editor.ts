import { keydownHandler } from 'prosemirror-keymap';
import { type EditorState, NodeSelection, Selection, type Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { restored } from '../../../../core/book/prose/restore.ts';
import { readVersion } from '../../../../core/book/prose/versions.ts';
import type { StepStore } from '../../../../data/rulebooks/step-store.ts';
import { type Base, type Editor, RulebookSync } from '../../../../data/rulebooks/sync.ts';
import { runShortcut } from '../../../../ui/commands/keys.ts';
import { COMMANDS, type RulebookContext, WRITING_KEYS } from '../commands/commands.ts';
import { positionOf } from './block-places.ts';
import { editorState } from './editor-state.ts';
import { type CardTexts, holdsStill } from './example-cards.ts';
import { leaveAtom } from './leave-atom.ts';
import { type Marks, withMarks } from './marks.ts';
import { NODE_VIEWS } from './node-views.ts';
import { picturesIn } from './paste/pasted-pictures.ts';

/** The windows around an editor, and who may write in it. */
export interface EditorHost {
  readonly editable: boolean;
  readonly open: RulebookContext['open'];
  readonly toFields: RulebookContext['toFields'];
  /** Takes pictures that were pasted or dropped. */
  readonly takePictures: (editor: RulebookEditor, files: readonly File[]) => void;
}

/** The editor of one rulebook: its state, its view once there is a place for it, and its stored steps. */
export class RulebookEditor implements Editor {
  readonly sync: RulebookSync;
  readonly #cardTexts: CardTexts;
  #state: EditorState;
  #view: EditorView | undefined;
  readonly #observers = new Set<() => void>();

  /** @param keep called with the stored text when a version of it is due */
  constructor(
    store: StepStore,
    base: Base,
    client: string,
    keep: (base: Base) => void,
    cardTexts: CardTexts,
  ) {
    this.#cardTexts = cardTexts;
    this.#state = editorState(base.doc, client, cardTexts);
    const follow: StepStore['follow'] = (after, received, fail) =>
      store.follow(
        after,
        (steps) => {
          this.#readCursor();
          received(steps);
        },
        fail,
      );
    this.sync = new RulebookSync({ ...store, follow }, this, base, client, keep);
  }

  readonly snapshot = (): EditorState => this.#state;
  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  get state(): EditorState {
    return this.#state;
  }

  readonly dispatch = (transaction: Transaction): void => {
    const before = this.#state;
    this.#state = before.apply(transaction);
    this.#view?.updateState(this.#state);
    if (this.#state.doc !== before.doc) this.sync.changed();
    this.#tell();
  };

  get view(): EditorView | undefined {
    return this.#view;
  }

  /** Shows the editor in an element; the returned function takes it away. */
  mount(element: HTMLElement, host: () => EditorHost): () => void {
    const writing = keydownHandler({ ...WRITING_KEYS });
    const takePictures = (data: DataTransfer | null): boolean => {
      const pictures = picturesIn(data);
      if (pictures.length === 0) return false;
      host().takePictures(this, pictures);
      return true;
    };
    const view = new EditorView(element, {
      state: this.#state,
      nodeViews: { ...NODE_VIEWS },
      editable: () => host().editable,
      attributes: () => ({
        'aria-label': 'Text of the rulebook',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-readonly': String(!host().editable),
        tabindex: '0',
      }),
      dispatchTransaction: (transaction) => this.dispatch(transaction),
      handleDOMEvents: {
        keydown: () => {
          this.#readCursor();
          return false;
        },
      },
      handleKeyDown: (shown, event) => {
        const { open, toFields } = host();
        if (runShortcut(COMMANDS, event, { view: shown, open, toFields })) return true;
        leaveAtom(event)(shown.state, shown.dispatch);
        return host().editable && writing(shown, event);
      },
      handleTextInput: (shown, _from, _to, text) => {
        const { $from, empty } = shown.state.selection;
        if (text !== '/' || !empty || $from.parent.content.size > 0) return false;
        host().open('insert');
        return true;
      },
      handlePaste: (_, { clipboardData }) => takePictures(clipboardData),
      handleDrop: (_, { dataTransfer }) => takePictures(dataTransfer),
      handleDoubleClickOn: (_, __, node) => {
        if (!node.isAtom || node.isText) return false;
        host().toFields();
        return true;
      },
    });
    this.#view = view;
    this.#tell();
    return () => {
      view.destroy();
      this.#view = undefined;
    };
  }

  /** Puts the cursor into a block and the block into sight. */
  goTo(block: string): void {
    const view = this.#view;
    if (!view) return;
    view.dispatch(view.state.tr.setSelection(this.#selectionIn(block)).scrollIntoView());
    view.focus();
  }

  /** Puts the cursor into a block, while something else than the text is shown and has the focus. */
  select(block: string): void {
    this.dispatch(this.#state.tr.setSelection(this.#selectionIn(block)));
  }

  #selectionIn(block: string): Selection {
    const state = this.#state;
    const at = positionOf(state, block);
    // The title is no part of the text.
    if (at === undefined) return Selection.atStart(state.doc);
    if (state.doc.nodeAt(at)?.isAtom) return NodeSelection.create(state.doc, at);
    return Selection.near(state.doc.resolve(at + 1), 1);
  }

  /** Makes the text that of a kept version, as one act that can be undone. @throws RulebookError when it cannot be read */
  restore(version: string): void {
    const transaction = restored(this.#state, readVersion(version));
    if (transaction) this.dispatch(transaction);
  }

  /** Says that an example still holds with its cards as they are now. */
  holdsStill(block: string): void {
    const transaction = holdsStill(this.#state, block, this.#cardTexts);
    if (transaction) this.dispatch(transaction);
  }

  /** Shows others in the text, and blocks with comments. */
  mark(marks: Marks): void {
    this.#readCursor();
    this.dispatch(withMarks(this.#state, marks));
  }

  /**
   * Takes the cursor over from where the page has it. Browsers tell of it a moment after a click or a key has put it
   * somewhere; before that, a key would act at its old place, and a change by others would put it back there.
   */
  #readCursor(): void {
    this.#view?.dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
  }

  #tell(): void {
    for (const observer of this.#observers) observer();
  }
}
