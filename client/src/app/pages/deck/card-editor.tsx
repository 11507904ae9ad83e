import { Button, NumberInput, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Layout } from '../../../core/scene/zone.ts';
import { deleteCard, saveCard } from '../../../data/decks.ts';
import {
  type Card,
  type Component as CardsComponent,
  MAX_COPIES,
  type WithId,
} from '../../../data/documents.ts';
import { MAX_CELL_LENGTH } from '../../../data/import/table.ts';
import { describeError } from '../../../data/messages.ts';
import { Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { cardName } from './card-grid.tsx';
import css from './deck.module.css';

const PREVIEW_WIDTH_PX = 250;

interface Draft {
  readonly id: string;
  readonly cells: Record<string, string>;
  readonly copies: number;
}

/** A card's cells in a form, with the card beside it. */
export function CardEditor({
  deck,
  component,
  card,
  count,
  layout,
  onClose,
}: {
  deck: string;
  component: WithId<CardsComponent>;
  card: WithId<Card> | undefined;
  count: number;
  layout: Layout | undefined;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const title = useRef('');
  const id = card?.id;
  useEffect(() => {
    if (!card) return;
    // What is being typed is not taken away by a change from elsewhere.
    setDraft((old) => (old?.id === card.id ? old : { id: card.id, cells: card.cells, copies: card.copies }));
  }, [card]);
  useEffect(() => {
    if (id === undefined) return;
    setFailure(undefined);
    return () => setDraft(undefined);
  }, [id]);
  if (draft) title.current = cardName(draft, component.columns);

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  const set = (key: string, text: string) =>
    setDraft((old) => old && { ...old, cells: { ...old.cells, [key]: text } });

  return (
    <Popup open={card !== undefined} onClose={onClose} title={title.current} width={layout ? 860 : 560}>
      {draft && (
        <form
          className={css.editor}
          onSubmit={(event) => {
            event.preventDefault();
            void run(() => saveCard(deck, component.id, draft.id, draft.cells, draft.copies));
          }}
        >
          {layout && (
            <div className={css.editorPreview}>
              <PaintedCard
                layout={layout}
                cells={draft.cells}
                columns={component.columns}
                width={PREVIEW_WIDTH_PX}
                label={`Preview of ${title.current}`}
              />
            </div>
          )}
          <div className={css.fields}>
            {failure && <Problem title={failure} />}
            {component.columns
              .filter(({ key }) => key !== component.copiesColumn)
              .map(({ key, name }) => (
                <Textarea
                  key={key}
                  label={name}
                  autosize
                  minRows={1}
                  maxRows={8}
                  maxLength={MAX_CELL_LENGTH}
                  value={draft.cells[key] ?? ''}
                  onChange={(event) => set(key, event.currentTarget.value)}
                />
              ))}
            <NumberInput
              label="Copies"
              value={draft.copies}
              min={0}
              max={MAX_COPIES}
              allowDecimal={false}
              clampBehavior="strict"
              onChange={(value) => setDraft({ ...draft, copies: Number(value) || 0 })}
            />
          </div>
          <div className={css.editorActions}>
            <Button
              variant="subtle"
              color={DANGER}
              disabled={busy}
              onClick={() => void run(() => deleteCard(deck, component.id, draft.id, count))}
            >
              Delete card
            </Button>
            <PopupActions>
              <Button variant="subtle" color="gray" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Save card
              </Button>
            </PopupActions>
          </div>
        </form>
      )}
    </Popup>
  );
}
