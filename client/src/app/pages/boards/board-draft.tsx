import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FolderInput, Printer } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useSession } from '../../../data/account/session.ts';
import { needsVerification } from '../../../data/account/verification.ts';
import { commitDraft, type Draft } from '../../../data/boards/drafts.ts';
import { useDraft } from '../../../data/boards/use-drafts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { VerificationGate } from '../../shell/verification-gate.tsx';
import { EditorScreen } from '../editor/editor-screen.tsx';
import { startGeneration } from '../editor/generators/generation.ts';
import { GENERATORS } from '../editor/generators/generators.ts';
import type { LayoutStore } from '../editor/state/saving/layout-store.ts';
import css from './boards.module.css';
import { BoardsFrame } from './boards-frame.tsx';
import { draftAddress, MAKE_PARAMETER, printAddress, SAVE_PARAMETER } from './draft-address.ts';
import { MissingDraft } from './missing-draft.tsx';
import { SaveDialog } from './save-dialog.tsx';

/** `/boards/draft/{id}`: the layout editor around a board that lies in this browser. */
export function Component() {
  const { id = '' } = useParams();
  return (
    <BoardsFrame>
      <DraftPage key={id} id={id} />
    </BoardsFrame>
  );
}

function DraftPage({ id }: { id: string }) {
  const { data, error } = useDraft(id);
  const [first, setFirst] = useState<Draft>();
  // A board that is being saved to a project leaves the browser before the page leads there.
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (data && !first) setFirst(data);
  }, [data, first]);
  if (data === null && !leaving) return <MissingDraft />;
  if (error) {
    return (
      <Page title="Board">
        <Problem title={describeError(error)} />
      </Page>
    );
  }
  if (!first || data === undefined) {
    return (
      <Page title="Board">
        <Loading label="Loading board" />
        <Placeholder height={480} radius={16} />
      </Page>
    );
  }
  return <DraftEditor id={id} initial={first} stored={data ?? first} onSaving={setLeaving} />;
}

function DraftEditor({
  id,
  initial,
  stored,
  onSaving,
}: {
  id: string;
  initial: Draft;
  stored: Draft;
  onSaving: (saving: boolean) => void;
}) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useSession();
  const [search, setSearch] = useSearchParams();
  const saving = search.has(SAVE_PARAMETER);
  const store = useMemo(
    (): LayoutStore => ({ id: `board ${id}`, commit: (make) => commitDraft(id, make) }),
    [id],
  );
  const makes = search.has(MAKE_PARAMETER);
  useEffect(() => {
    // The editor has begun with it: a reload does not make it again.
    if (makes) setSearch({}, { replace: true });
  }, [makes, setSearch]);
  const ask = (open: boolean) =>
    setSearch(open ? { [SAVE_PARAMETER]: '1' } : {}, { replace: true, preventScrollReset: true });
  return (
    <EditorScreen
      store={store}
      initial={initial}
      stored={stored}
      project={undefined}
      component={undefined}
      back="/boards"
      begin={(model) => {
        const generator = GENERATORS.find((one) => one.id === search.get(MAKE_PARAMETER));
        if (generator) startGeneration(model, generator);
      }}
      menu={({ flush, model }) => (
        <>
          <button
            type="button"
            className={`${bar.tool} ${css.action}`}
            onClick={() => void flush().then(() => navigate(printAddress(id)))}
          >
            <Printer size={17} aria-hidden /> Print
          </button>
          <Button
            size="xs"
            className={css.action ?? ''}
            leftSection={<FolderInput size={15} aria-hidden />}
            onClick={() => {
              if (user) ask(true);
              // Sign-in leads back here, and asks then.
              else
                void flush().then(() =>
                  navigate(`/login?to=${encodeURIComponent(`${draftAddress(id)}?${SAVE_PARAMETER}=1`)}`),
                );
            }}
          >
            Save to a project
          </Button>
          {user && saving && <VerificationGate user={user} />}
          {user && (
            <SaveDialog
              open={saving && !needsVerification(user)}
              name={model.state.scene.name}
              read={async () => {
                await flush();
                return { ...stored, scene: model.state.scene };
              }}
              onClose={() => ask(false)}
              onSaving={onSaving}
              onSaved={async (to) => {
                await navigate(to);
                client.removeQueries({ queryKey: ['board drafts', id] });
              }}
            />
          )}
        </>
      )}
    />
  );
}
