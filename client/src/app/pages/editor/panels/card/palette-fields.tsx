import { Button, Checkbox, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { parseColour } from '../../../../../core/scene/colour/colour.ts';
import { isolated } from '../../../../../core/text/names.ts';
import {
  MAX_COLOURS,
  MAX_PALETTE_NAME_LENGTH,
  MAX_PALETTES,
  withPalette,
} from '../../../../../data/user-object/palettes.ts';
import { DEFAULT_PALETTE_NAME, type Palette } from '../../../../../data/user-object/schema.ts';
import { useUserObject } from '../../../../../data/user-object/use-user-object.ts';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import { ColorField, FoldingSection, SelectField } from '../fields/fields.tsx';
import css from '../panels.module.css';

/** The palette whose colours every colour field offers: kept with the account, for all layouts. */
export function PaletteFields() {
  const { userObject, save } = useUserObject();
  const { globalPalettes, globalPaletteIndex, globalPaletteVisible, globalPalettesExpanded } = userObject;
  const [colour, setColour] = useState('');
  const palette = globalPalettes[globalPaletteIndex];
  const change = (recipe: (palette: Palette) => Partial<Palette>) =>
    void save((stored) => ({
      globalPalettes: stored.globalPalettes.map((one, at) =>
        at === globalPaletteIndex ? { ...one, ...recipe(one) } : one,
      ),
    }));
  const add = () => {
    setColour('');
    change(({ paletteArray }) => ({
      paletteArray: paletteArray.includes(colour)
        ? paletteArray
        : [...paletteArray, colour].slice(-MAX_COLOURS),
    }));
  };
  return (
    <FoldingSection
      title="Palette"
      open={globalPaletteVisible}
      onToggle={() => void save({ globalPaletteVisible: !globalPaletteVisible })}
    >
      <SelectField
        label="Colours of"
        value={String(globalPaletteIndex)}
        options={globalPalettes.map(({ name }, at) => ({ value: String(at), label: name }))}
        onChange={(at) => void save({ globalPaletteIndex: Number(at) })}
      />
      {palette && (
        <>
          <TextInput
            size="xs"
            label="Palette name"
            maxLength={MAX_PALETTE_NAME_LENGTH}
            value={palette.name}
            onChange={(event) => {
              const name = event.currentTarget.value;
              change(() => ({ name }));
            }}
          />
          <ul className={css.swatches} aria-label={`Colours of ${isolated(palette.name)}`}>
            {palette.paletteArray.map((one) => (
              <li key={one}>
                <span style={{ background: one }} aria-hidden />
                {one}
                <button
                  type="button"
                  aria-label={`Take ${one} out`}
                  onClick={() =>
                    change(({ paletteArray }) => ({
                      paletteArray: paletteArray.filter((other) => other !== one),
                    }))
                  }
                >
                  <X size={13} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
          <div className={css.named}>
            <ColorField label="Another colour" value={colour} onChange={setColour} />
            <button
              type="button"
              className={bar.tool}
              aria-label="Add the colour"
              disabled={parseColour(colour) === undefined}
              onClick={add}
            >
              <Plus size={15} aria-hidden />
            </button>
          </div>
        </>
      )}
      {globalPalettes.length > 1 && (
        <Checkbox
          size="sm"
          label="Offer the colours of all palettes"
          checked={globalPalettesExpanded}
          onChange={(event) => void save({ globalPalettesExpanded: event.currentTarget.checked })}
        />
      )}
      {globalPalettesExpanded &&
        globalPalettes.map(
          ({ name, paletteArray }, at) =>
            at !== globalPaletteIndex && (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: palettes are named freely and known by their places
                key={at}
                type="button"
                className={css.palette}
                aria-label={`Choose the palette ${name}`}
                onClick={() => void save({ globalPaletteIndex: at })}
              >
                {name}
                <span>
                  {paletteArray.map((one) => (
                    <i key={one} style={{ background: one }} />
                  ))}
                </span>
              </button>
            ),
        )}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={globalPalettes.length >= MAX_PALETTES}
        onClick={() => void save((stored) => withPalette(stored, DEFAULT_PALETTE_NAME, []))}
      >
        New palette
      </Button>
    </FoldingSection>
  );
}
