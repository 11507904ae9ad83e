import { Button, FileButton, NativeSelect } from '@mantine/core';
import { Plus, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { kindOf } from '../../../core/scene/kinds.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { useSession } from '../../../data/account/session.ts';
import { addDraft, type Draft } from '../../../data/boards/drafts.ts';
import { Page } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { GENERATORS } from '../editor/generators/generators.ts';
import { newZoneId } from '../editor/new-zone-id.ts';
import { BoardTile, boardSize } from './board-tile.tsx';
import css from './boards.module.css';
import { BoardsFrame } from './boards-frame.tsx';
import { draftAddress, MAKE_PARAMETER } from './draft-address.ts';
import { Drafts } from './drafts.tsx';
import { ProjectBoards } from './project-boards.tsx';
import { boardStarts } from './starts/starts.ts';

/** Sizes of a blank board. */
const SIZES = ['boards', 'mats'].flatMap((kind) => kindOf(kind).sizes);

/** `/boards`: boards to begin with, those that lie in this browser, and those of one's projects. */
export function Component() {
  return (
    <BoardsFrame>
      <BoardsPage />
    </BoardsFrame>
  );
}

function BoardsPage() {
  const navigate = useNavigate();
  const signedIn = useSession() !== null;
  const [busy, setBusy] = useState(false);
  const [sizeAt, setSizeAt] = useState(0);
  const forgetFile = useRef<() => void>(null);

  const begin = async (scene: Layout, fold: Draft['fold'], make?: string) => {
    setBusy(true);
    try {
      const query = make === undefined ? '' : `?${MAKE_PARAMETER}=${make}`;
      await navigate(`${draftAddress(await addDraft(scene, fold))}${query}`);
    } catch (reason) {
      tellFailure(reason);
      setBusy(false);
    }
  };
  const bring = async (files: readonly File[]) => {
    if (files.length === 0) return;
    // A browser does not tell of the same file chosen again, as one does who has mended it.
    forgetFile.current?.();
    try {
      const { openTiled } = await import('../../../data/boards/open-tiled.ts');
      const { board, remarks } = await openTiled(files, newZoneId);
      if (remarks.length > 0) toasts.show(remarks.join(' '), { type: 'warning', autoCloseTime: 0 });
      await begin(board, 'none');
    } catch (reason) {
      tellFailure(reason, 'stays');
    }
  };
  return (
    <Page
      title="Board maker"
      lead="Draw a board, print it over as many pages as it takes, and keep it: no account needed."
      actions={
        <div className={css.fresh}>
          <NativeSelect
            aria-label="Size of a blank board"
            value={sizeAt}
            data={SIZES.map(({ name, size }, at) => ({
              value: String(at),
              label: `${name}, ${Math.round(size.w)} × ${Math.round(size.h)} mm`,
            }))}
            onChange={(event) => setSizeAt(Number(event.currentTarget.value))}
          />
          <Button
            disabled={busy}
            leftSection={<Plus size={17} aria-hidden />}
            onClick={() => void begin(newLayout('New board', SIZES[sizeAt]?.size), 'none')}
          >
            Blank board
          </Button>
          <FileButton
            multiple
            accept=".tmx,.tmj,.tsx,.tsj,.json,application/json,application/xml,text/xml"
            resetRef={forgetFile}
            onChange={(files) => void bring(files)}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />}>
                Open a Tiled map
              </Button>
            )}
          </FileButton>
        </div>
      }
    >
      <Drafts />
      {signedIn && <ProjectBoards />}
      <section className={css.section} aria-labelledby="board-makers">
        <h2 id="board-makers">Make one from settings</h2>
        <p>It follows its settings while you try them, on a blank board of the size above.</p>
        <ul className={css.makers}>
          {GENERATORS.map(({ id, name, icon: Icon }) => (
            <li key={id}>
              <Button
                variant="default"
                disabled={busy}
                leftSection={<Icon size={17} aria-hidden />}
                onClick={() => void begin(newLayout(name, SIZES[sizeAt]?.size), 'none', id)}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </section>
      <section className={css.section} aria-labelledby="board-starts">
        <h2 id="board-starts">Begin with one of these</h2>
        <ul className={css.grid}>
          {boardStarts().map(({ id, name, use, layout, fold }) => (
            <BoardTile
              key={id}
              scene={layout}
              name={name}
              note={`${use}. ${boardSize(layout)}`}
              busy={busy}
              onPick={() => void begin(layout, fold)}
            />
          ))}
        </ul>
      </section>
    </Page>
  );
}
