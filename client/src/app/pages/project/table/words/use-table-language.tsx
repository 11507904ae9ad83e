import { Check, Languages } from 'lucide-react';
import { useState } from 'react';
import { languageName } from '../../../../../core/translation/languages.ts';
import { Menu, type MenuItem } from '../../../../../ui/menu/menu.tsx';
import css from '../table-toolbar.module.css';

/** The language that a table shows. */
export interface TableLanguage {
  readonly tag: string;
  /** True if its words stand in place of the source, instead of beside it. */
  readonly instead: boolean;
}

const keyOf = (project: string): string => `tuckbox-table-language:${project}`;

function kept(project: string): TableLanguage | undefined {
  const [tag, instead] = localStorage.getItem(keyOf(project))?.split(' ') ?? [];
  return tag ? { tag, instead: instead === 'instead' } : undefined;
}

/** The language that tables of a project show, kept in this browser; none where the project has not got it any longer. */
export function useTableLanguage(
  project: string,
  languages: readonly string[] | undefined,
): readonly [TableLanguage | undefined, (language: TableLanguage | undefined) => void] {
  const [language, setLanguage] = useState(() => kept(project));
  const choose = (next: TableLanguage | undefined) => {
    setLanguage(next);
    if (next) localStorage.setItem(keyOf(project), `${next.tag} ${next.instead ? 'instead' : 'beside'}`);
    else localStorage.removeItem(keyOf(project));
  };
  return [language && languages?.includes(language.tag) ? language : undefined, choose];
}

/** Chooses the language of a table or of painted cards; nothing where the cards have one alone. */
export function LanguageMenu({
  project,
  languages,
  shown,
  choose,
  alone = false,
  ...menu
}: {
  project: string;
  languages: readonly string[] | undefined;
  shown: TableLanguage | undefined;
  choose: (language: TableLanguage | undefined) => void;
  className: string | undefined;
  /** True where nothing but painted cards stands below, which show one language at a time. */
  alone?: boolean;
}) {
  if (!languages || languages.length === 0) return null;
  return (
    <Menu
      {...menu}
      label={shown ? `Language: ${languageName(shown.tag)}` : 'Language'}
      width={290}
      items={languageItems(project, languages, shown, choose, alone)}
    >
      <Languages size={16} aria-hidden />
      {shown && <span className={alone ? undefined : css.language}>{languageName(shown.tag)}</span>}
    </Menu>
  );
}

/** Lines of the menu that chooses the language. */
function languageItems(
  project: string,
  languages: readonly string[],
  shown: TableLanguage | undefined,
  choose: (language: TableLanguage | undefined) => void,
  alone: boolean,
): MenuItem[] {
  const marked = (isOn: boolean) => <Check size={15} visibility={isOn ? 'visible' : 'hidden'} />;
  const instead = shown?.instead ?? false;
  return [
    { label: 'Their own words alone', icon: marked(!shown), onSelect: () => choose(undefined) },
    ...languages.map((tag) => ({
      id: tag,
      label: languageName(tag),
      icon: marked(shown?.tag === tag),
      onSelect: () => choose({ tag, instead }),
    })),
    ...(shown && !alone
      ? [
          {
            label: 'Beside their own words',
            icon: marked(!instead),
            divided: true,
            onSelect: () => choose({ ...shown, instead: false }),
          },
          {
            label: 'In place of their own words',
            icon: marked(instead),
            onSelect: () => choose({ ...shown, instead: true }),
          },
        ]
      : []),
    {
      label: 'All languages and their checks',
      icon: <Languages size={15} />,
      divided: true,
      to: `/decks/${project}/languages${shown ? `?language=${shown.tag}` : ''}`,
    },
  ];
}
