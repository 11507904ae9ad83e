import { Button } from '@mantine/core';
import { ArrowLeft, Snowflake } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { nextName } from '../../../core/versions/next-name.ts';
import { edits } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { deleteVersion, describeVersion, freezeVersion } from '../../../data/versions/calls.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState, Page } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { DescribeWindow } from './describe-window.tsx';
import { RestoreAll } from './restore-all.tsx';
import { ShareWindow } from './share/share-window.tsx';
import { Timeline, type Version } from './timeline.tsx';
import { versionName } from './version-words.ts';

type Asked = { readonly what: 'rename' | 'share' | 'restore' | 'remove'; readonly version: Version };

/** The versions of a project in time. */
export function VersionsPage({ versions, notices }: { versions: readonly Version[]; notices: ReactNode }) {
  const { project, details, role } = useOpenProject();
  const mayEdit = edits(role);
  const [freezing, setFreezing] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const of = (what: Asked['what']) => (asked?.what === what ? asked.version : undefined);
  const close = () => setAsked(undefined);
  const named = versions.flatMap(({ name }) => (name ? [name] : []));
  const freeze = mayEdit && (
    <Button leftSection={<Snowflake size={17} aria-hidden />} onClick={() => setFreezing(true)}>
      Freeze version
    </Button>
  );
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title="Versions"
      lead="The whole game as it was: cards, layouts, pictures, fonts and rulebooks. Compare, open or restore any of them."
      actions={versions.length > 0 && freeze}
    >
      <RoleNote />
      {notices}
      {versions.length === 0 ? (
        <EmptyState icon={<Snowflake size={26} />} title="Nothing is frozen yet" action={freeze}>
          Freeze the game before a playtest or a print: you can go on working, and later see what changed
          since, open it as it was, or bring it back.
        </EmptyState>
      ) : (
        <Timeline
          versions={versions}
          project={project.id}
          mayEdit={mayEdit}
          actions={{
            rename: (version) => setAsked({ what: 'rename', version }),
            share: (version) => setAsked({ what: 'share', version }),
            restore: (version) => setAsked({ what: 'restore', version }),
            remove: (version) => setAsked({ what: 'remove', version }),
          }}
        />
      )}
      <DescribeWindow
        open={freezing}
        title="Freeze version"
        action="Freeze"
        lead="Everything is kept as it is at this moment. What did not change since another version takes no room."
        first={{ name: nextName(named), note: '' }}
        taken={named}
        onClose={() => setFreezing(false)}
        run={async (name, note) => {
          await freezeVersion(project, name, note);
          toasts.show(`${name.trim()} is frozen.`, { type: 'success' });
        }}
      />
      <DescribeWindow
        key={of('rename')?.id}
        open={of('rename') !== undefined}
        title="Name and note"
        action="Save"
        first={{
          name: of('rename')?.name || nextName(named),
          note: of('rename')?.note ?? '',
        }}
        taken={versions.flatMap(({ id, name }) => (id === of('rename')?.id ? [] : [name]))}
        onClose={close}
        run={async (name, note) => {
          const version = of('rename');
          if (version) await describeVersion(project, version, name, note);
        }}
      />
      <ShareWindow version={versions.find(({ id }) => id === of('share')?.id)} onClose={close} />
      <RestoreAll version={of('restore')} onClose={close} />
      <DeleteVersion version={of('remove')} project={project} onClose={close} />
    </Page>
  );
}

function DeleteVersion({
  version,
  project,
  onClose,
}: {
  version: Version | undefined;
  project: Project;
  onClose: () => void;
}) {
  const [shown, setShown] = useState(version);
  if (version && version !== shown) setShown(version);
  return (
    <Confirm
      open={version !== undefined}
      title="Delete this version?"
      keep="Keep it"
      action="Delete version"
      describe={describeError}
      onClose={onClose}
      run={async () => {
        if (version?.link) {
          const { withdrawVersion } = await import('../../../data/versions/share/publish-version.ts');
          await withdrawVersion(project, version);
        }
        await deleteVersion(project, version?.id ?? '');
      }}
    >
      <p>
        <strong>{shown && versionName(shown)}</strong> goes, with what it alone holds: cards and layouts as
        they were then, and pictures that neither the project nor another version shows. The project and all
        other versions stay as they are. This cannot be undone.
      </p>
    </Confirm>
  );
}
