import { Check, Languages } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SpokenLayouts } from '../../../core/play/protocol/looks.ts';
import { spokenTag, viewIn } from '../../../core/play/view/in-language.ts';
import type { TableView } from '../../../core/play/view/view.ts';
import { languageName } from '../../../core/translation/language-names.ts';
import { Menu, type MenuItem } from '../../../ui/menu/menu.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { LANGUAGE_PARAMETER } from './language-parameter.ts';
import css from './play.module.css';

const KEY = 'tuckbox-playtest-language';

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is full or switched off: the choice lasts as long as the page.
  }
}

/** The language that the address of a table names, or that was last chosen in this browser. */
function useWanted(): readonly [string | null, (language: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const [chosen, setChosen] = useState(kept);
  const choose = (language: string) => {
    keep(language);
    setChosen(language);
    if (!parameters.has(LANGUAGE_PARAMETER)) return;
    const next = new URLSearchParams(parameters);
    next.delete(LANGUAGE_PARAMETER);
    setParameters(next, { replace: true, preventScrollReset: true });
  };
  return [parameters.get(LANGUAGE_PARAMETER) ?? chosen, choose];
}

/** A table with its cards in one's own language, and the menu that chooses it; others see theirs. */
export function useOwnLanguage<V extends TableView | undefined>(
  view: V,
): { readonly view: V; readonly menu: ReactNode } {
  const [wanted, choose] = useWanted();
  const languages = view?.common.languages;
  const tag = spokenTag(languages, wanted);
  const own = useMemo(() => (view ? (viewIn(view, tag) as V) : view), [view, tag]);
  const menu = languages && <LanguageMenu languages={languages} shown={tag} onChoose={choose} />;
  return { view: own, menu };
}

function LanguageMenu({
  languages: { source, spoken, without = [] },
  shown,
  onChoose,
}: {
  languages: SpokenLayouts;
  shown: string | undefined;
  onChoose: (language: string) => void;
}) {
  const marked = (isOn: boolean) => <Check size={15} visibility={isOn ? 'visible' : 'hidden'} />;
  const others = Object.keys(spoken).sort((a, b) => languageName(a).localeCompare(languageName(b)));
  const items: MenuItem[] = [
    {
      id: source,
      label: languageName(source),
      icon: marked(shown === undefined),
      onSelect: () => onChoose(source),
    },
    ...others.map((tag) => ({
      id: tag,
      label: languageName(tag),
      icon: marked(shown === tag),
      onSelect: () => onChoose(tag),
    })),
    ...without.map((tag) => ({
      id: tag,
      label: `${languageName(tag)}: no room at this table`,
      icon: marked(false),
      disabled: true,
    })),
  ];
  const name = languageName(shown ?? source);
  return (
    <Menu
      label={`Your language of the cards: ${name}`}
      className={`${bar.tool} ${css.people}`}
      width={260}
      items={items}
    >
      <Languages size={17} aria-hidden />
      <span>{name}</span>
    </Menu>
  );
}
