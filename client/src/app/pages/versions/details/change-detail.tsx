import type { Difference } from '../../../../core/versions/difference.ts';
import {
  cardKey,
  componentKey,
  fileKey,
  languageKey,
  layoutKey,
  NOTES_KEY,
  presetKey,
  rulebookKey,
  SETTINGS_KEY,
  UNKNOWN_KEY,
} from '../changed-items.ts';
import { CardDetail } from './card-detail.tsx';
import { ComponentDetail } from './component-detail.tsx';
import { FontDetail, ImageDetail } from './file-detail.tsx';
import { LanguageDetail } from './language-detail.tsx';
import { LayoutDetail } from './layout-detail.tsx';
import { NotesDetail, PresetDetail, SettingsDetail, UnknownDetail } from './other-details.tsx';
import { RulebookDetail } from './rulebook-detail.tsx';

/** Differences of the thing whose line of the list is chosen. */
export function ChangeDetail({
  difference,
  shown,
  onShow,
}: {
  difference: Difference;
  shown: string;
  onShow: (key: string) => void;
}) {
  const { notes, settings, unknown } = difference;
  if (shown === NOTES_KEY && notes) return <NotesDetail notes={notes} />;
  if (shown === SETTINGS_KEY && settings) return <SettingsDetail settings={settings} />;
  if (shown === UNKNOWN_KEY) return <UnknownDetail paths={unknown} />;
  const layout = difference.layouts.find(({ id }) => layoutKey(id) === shown);
  if (layout) return <LayoutDetail layout={layout} />;
  const rulebook = difference.rulebooks.find(({ id }) => rulebookKey(id) === shown);
  if (rulebook) return <RulebookDetail rulebook={rulebook} />;
  const image = difference.images.find(({ path }) => fileKey(path) === shown);
  if (image) return <ImageDetail image={image} />;
  const font = difference.fonts.find(({ path }) => fileKey(path) === shown);
  if (font) return <FontDetail font={font} />;
  const language = difference.languages.find((one) => languageKey(one.language) === shown);
  if (language) return <LanguageDetail language={language} />;
  const preset = difference.presets.find(({ id }) => presetKey(id) === shown);
  if (preset) return <PresetDetail preset={preset} />;
  for (const component of difference.components) {
    if (componentKey(component.id) === shown)
      return <ComponentDetail component={component} onShow={onShow} />;
    const card = component.cards.find(({ id }) => cardKey(component.id, id) === shown);
    if (card) return <CardDetail card={card} of={component} />;
  }
  return null;
}
