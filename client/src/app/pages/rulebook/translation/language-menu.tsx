import { Languages as Icon } from 'lucide-react';
import { languageName } from '../../../../core/translation/languages.ts';
import { Menu } from '../../../../ui/menu/menu.tsx';
import bar from '../../../../ui/toolbar/toolbar.module.css';
import css from '../../../translation/translation.module.css';
import type { Languages } from './use-languages.ts';

/** Chooses the language in which a rulebook is shown: its own, in which it is written, or one of its translations. */
export function LanguageMenu({
  source,
  languages: { all, chosen, choose },
  onAdd,
}: {
  /** Language of the text. */
  source: string;
  languages: Languages;
  /** Left out for those who may not change anything. */
  onAdd: (() => void) | undefined;
}) {
  const shown = languageName(chosen ?? source);
  return (
    <Menu
      label={`Language: ${shown}`}
      className={`${bar.tool} ${css.chooser} ${chosen === undefined ? css.quietChooser : ''}`}
      items={[
        {
          id: 'source',
          label: `${languageName(source)} (the text itself)`,
          onSelect: () => choose(undefined),
        },
        ...(all ?? []).map((tag) => ({ id: tag, label: languageName(tag), onSelect: () => choose(tag) })),
        ...(onAdd ? [{ id: 'add', label: 'Add a language…', divided: true, onSelect: onAdd }] : []),
      ]}
    >
      <Icon size={17} aria-hidden /> <span>{shown}</span>
    </Menu>
  );
}
