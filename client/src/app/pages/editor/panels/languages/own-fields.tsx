import { RotateCcw } from 'lucide-react';
import { useStore } from 'zustand';
import { ownPaths, resetLanguage } from '../../../../../core/scene/language-view.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import { languageName } from '../../../../../core/translation/languages.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { Section } from '../fields/fields.tsx';
import css from './languages.module.css';

/** Properties by their paths, as the fields of the panels call them. */
const NAMES: Readonly<Record<string, string>> = {
  x: 'X',
  y: 'Y',
  w: 'Width',
  h: 'Height',
  rotation: 'Rotation',
  hidden: 'Hidden',
  minSize: 'Smallest size',
  'style.family': 'Font',
  'style.size': 'Size',
  'style.weight': 'Weight',
  'style.italic': 'Italic',
  'style.lineHeight': 'Line height',
  'style.letterSpacing': 'Letter spacing',
  'style.align': 'Alignment',
  'style.hyphenate': 'Hyphenation',
  'style.direction': 'Direction',
};

/** The properties that a zone has of its own in languages: in all of them, or in the one that is shown. */
export function OwnFields({ zone, model }: { zone: Zone; model: EditorModel }) {
  const shown = useStore(model.store, (state) => state.language);
  const own = Object.keys(zone.languages ?? {}).sort();
  const languages = shown === null ? own : [shown];
  if (languages.length === 0) return null;
  const reset = (language: string, paths?: string[]) =>
    model.actOn(zone.id, (draft) => resetLanguage(draft, language, paths));
  return (
    <Section title={shown === null ? 'Differs in languages' : `Only in ${languageName(shown)}`}>
      {languages.map((language) => {
        const name = languageName(language);
        const paths = ownPaths(zone, language);
        return (
          <div key={language} className={css.own}>
            {shown === null && <strong>{name}</strong>}
            {paths.length === 0 ? (
              <p className={css.note}>This zone is as in all languages.</p>
            ) : (
              <ul className={css.paths} aria-label={`Properties of ${name} alone`}>
                {paths.map((path) => (
                  <li key={path}>
                    {NAMES[path] ?? path}
                    <button
                      type="button"
                      aria-label={`Reset ${NAMES[path] ?? path} in ${name}`}
                      title="As in all languages"
                      onClick={() => reset(language, [path])}
                    >
                      <RotateCcw size={13} aria-hidden />
                    </button>
                  </li>
                ))}
                {paths.length > 1 && (
                  <li>
                    <button type="button" className={css.all} onClick={() => reset(language)}>
                      Reset all
                    </button>
                  </li>
                )}
              </ul>
            )}
          </div>
        );
      })}
    </Section>
  );
}
