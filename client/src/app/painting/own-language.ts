import { createContext, useContext } from 'react';
import type { Layout } from '../../core/scene/layout.ts';
import { inOwnLanguage } from '../../core/text/fonts/own-language.ts';

/** Language of the words of the cards around here; empty outside of any project, and where nobody said it. */
export const OwnLanguageContext = createContext('');

/** A layout as it paints the cards around here. */
export const useInOwnLanguage = (layout: Layout): Layout =>
  inOwnLanguage(layout, useContext(OwnLanguageContext));
