import { Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { MAX_SHADOWS, type Shadow } from '../../../../../core/scene/style/paint.ts';
import type { TextZone } from '../../../../../core/scene/zones/text.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { ColorField, LengthField, Pair, Section } from '../fields/fields.tsx';
import css from '../panels.module.css';

/** Shadows of the zone's form, or of a text's letters. */
type ShadowsOf = 'shadows' | 'textShadows';

const WORDS: Readonly<Record<ShadowsOf, { title: string; one: string; first: Shadow }>> = {
  shadows: {
    title: 'Shadows',
    one: 'shadow',
    first: { color: '#00000066', dx: 0, dy: 0.6, blur: 1.6, spread: 0 },
  },
  textShadows: {
    title: 'Shadows of the letters',
    one: 'letter shadow',
    first: { color: '#00000066', dx: 0.2, dy: 0.2, blur: 0.6, spread: 0 },
  },
};

const MAX_BLUR_MM = 50;

/** The list of a zone; a zone of another kind than when the fields were shown has none. */
function listOf(zone: Zone, of: ShadowsOf): Shadow[] {
  if (of === 'shadows') return zone.shadows;
  return zone.kind === 'text' ? zone.textShadows : [];
}

/** The shadows of a zone or of its letters: colour, blur and how far they fall. */
export function ShadowFields({
  zone,
  of,
  model,
}: { model: EditorModel } & ({ zone: Zone; of: 'shadows' } | { zone: TextZone; of: 'textShadows' })) {
  const { title, one, first } = WORDS[of];
  const shadows = listOf(zone, of);
  const act = (recipe: (draft: Shadow[]) => void, mergeKey?: string) =>
    model.actOn(zone.id, (draft) => recipe(listOf(draft, of)), mergeKey);
  const set =
    <K extends keyof Shadow>(index: number, key: K) =>
    (value: Shadow[K]) =>
      act((draft) => {
        const shadow = draft[index];
        if (shadow) shadow[key] = value;
      }, `${of}${index}.${key}`);
  return (
    <Section title={title}>
      {shadows.map((shadow, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shadows have nothing but their place
        <div key={index} className={css.entry}>
          <Pair>
            <ColorField label="Shadow colour" value={shadow.color} onChange={set(index, 'color')} />
            <LengthField
              label="Blur"
              model={model}
              min={0}
              max={MAX_BLUR_MM}
              value={shadow.blur}
              onChange={set(index, 'blur')}
            />
            <LengthField label="Right" model={model} value={shadow.dx} onChange={set(index, 'dx')} />
            <LengthField label="Down" model={model} value={shadow.dy} onChange={set(index, 'dy')} />
            {of === 'shadows' && (
              <LengthField
                label="Spread"
                model={model}
                value={shadow.spread}
                onChange={set(index, 'spread')}
              />
            )}
          </Pair>
          <button
            type="button"
            className={css.remove}
            aria-label={`Remove ${one} ${index + 1}`}
            onClick={() => act((draft) => void draft.splice(index, 1))}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
      {shadows.length < MAX_SHADOWS && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => act((draft) => void draft.push({ ...first }))}
        >
          Add {one}
        </Button>
      )}
    </Section>
  );
}
