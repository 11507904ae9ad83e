import type { Callout, CalloutKind } from '../document/schema.ts';

/** The names of the kinds, in English: the language of the application. */
export const CALLOUT_NAMES: Readonly<Record<CalloutKind, string>> = {
  note: 'Note',
  example: 'Example',
  important: 'Important',
  variant: 'Variant',
  faq: 'Question',
};

/** Titles of callouts that have none of their own, by language. */
const TITLES: Readonly<Record<string, Readonly<Record<CalloutKind, string>>>> = {
  en: CALLOUT_NAMES,
  de: { note: 'Hinweis', example: 'Beispiel', important: 'Wichtig', variant: 'Variante', faq: 'Frage' },
  fr: { note: 'Note', example: 'Exemple', important: 'Important', variant: 'Variante', faq: 'Question' },
  es: { note: 'Nota', example: 'Ejemplo', important: 'Importante', variant: 'Variante', faq: 'Pregunta' },
  it: { note: 'Nota', example: 'Esempio', important: 'Importante', variant: 'Variante', faq: 'Domanda' },
};

/** The title of a callout: its own, or that of its kind in the language of the text, English where it is not known. */
export function calloutTitle({ title, kind }: Pick<Callout, 'title' | 'kind'>, language: string): string {
  const [main = ''] = language.toLowerCase().split('-');
  return title || (TITLES[main] ?? CALLOUT_NAMES)[kind];
}
