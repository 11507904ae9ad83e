import type { Node as ProseNode } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import type { CalloutKind } from '../../../../core/book/document/schema.ts';
import { CALLOUT_NAMES } from '../../../../core/book/typesetting/callout-title.ts';
import { readReference } from '../../../../core/images/library.ts';
import { nameOf } from '../../../../core/images/path.ts';
import css from '../rulebook.module.css';

export const LIVE_NAMES: Readonly<Record<string, string>> = {
  contents: 'Contents',
  glossary: 'Glossary',
  index: 'Index',
  components: 'List of components',
  icons: 'Legend of icons',
  setup: 'Set-up picture',
};

const BREAK_NAMES: Readonly<Record<string, string>> = {
  page: 'New page',
  column: 'New column',
  right: 'New right page',
};

/** A block or an inline without text of its own, shown as a label. */
function label(
  tag: 'span' | 'div',
  className: string | undefined,
  words: (node: ProseNode) => string,
): NodeViewConstructor {
  return (node) => {
    const dom = document.createElement(tag);
    dom.className = className ?? '';
    dom.contentEditable = 'false';
    const show = (shown: ProseNode) => {
      dom.textContent = words(shown);
    };
    show(node);
    return {
      dom,
      update(next) {
        if (next.type !== node.type) return false;
        show(next);
        return true;
      },
      ignoreMutation: () => true,
    };
  };
}

/** A block with a line above its content that says what it is. */
function headed(
  tag: string,
  className: string | undefined,
  words: (node: ProseNode) => string,
  data: (node: ProseNode) => string = () => '',
): NodeViewConstructor {
  return (node) => {
    const dom = document.createElement(tag);
    dom.className = className ?? '';
    const head = document.createElement('div');
    head.className = css.blockHead ?? '';
    head.contentEditable = 'false';
    const contentDOM = document.createElement('div');
    dom.append(head, contentDOM);
    const show = (shown: ProseNode) => {
      head.textContent = words(shown);
      dom.dataset.kind = data(shown);
    };
    show(node);
    return {
      dom,
      contentDOM,
      update(next) {
        if (next.type !== node.type) return false;
        show(next);
        return true;
      },
      ignoreMutation: (mutation) => !contentDOM.contains(mutation.target),
    };
  };
}

const list = (names: readonly string[]): string => names.join(', ');

/** The looks of the nodes that are more than their text. */
export const NODE_VIEWS: Readonly<Record<string, NodeViewConstructor>> = {
  icon: label('span', css.chip, ({ attrs }) => `{${attrs.name}}`),
  card: label('span', css.chip, ({ attrs }) => `@${attrs.name}`),
  term: label('span', css.chip, ({ attrs }) => attrs.text),
  reference: label('span', css.chip, ({ attrs }) => `§ ${attrs.show}`),
  value: label('span', css.chip, ({ attrs }) => `{{${attrs.formula}}}`),
  live: label('div', css.liveBlock, ({ attrs }) => LIVE_NAMES[attrs.show] ?? ''),
  pageBreak: label('div', css.pageBreak, ({ attrs }) => BREAK_NAMES[attrs.to] ?? ''),
  callout: headed(
    'aside',
    css.callout,
    ({ attrs }) => attrs.title || CALLOUT_NAMES[attrs.kind as CalloutKind],
    ({ attrs }) => attrs.kind,
  ),
  columns: headed('section', css.columns, ({ attrs }) => `${attrs.count} columns`),
  definition: headed('div', css.definition, ({ attrs }) => attrs.term),
  rule: headed('div', css.ruleBlock, ({ attrs }) => '§'.repeat(attrs.depth)),
  figure: headed(
    'figure',
    css.figure,
    ({ attrs }) => `Picture: ${nameOf(readReference(attrs.source)?.path ?? attrs.source)}`,
  ),
  cards: headed('figure', css.figure, ({ attrs }) => `Cards: ${list(attrs.names)}`),
};
