import { Button } from '@mantine/core';
import {
  BookOpen,
  Copyright,
  Dices,
  Ellipsis,
  History,
  Images,
  Languages,
  LayoutTemplate,
  NotebookPen,
  Plus,
  Printer,
  Users,
} from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { Menu, type MenuItem } from '../../../ui/menu/menu.tsx';

/** Windows of a project's page. */
export type ProjectWindow = 'notes' | 'rulebooks' | 'members' | 'playtest';

/** The buttons of a project's page. */
export function ProjectActions({
  id,
  frozen,
  inBrowser,
  mayEdit,
  mayPlay,
  shown,
  hasComponents,
  onOpen,
  onAdd,
}: {
  id: string;
  /** An opened version: nobody changes it, and it has no members of its own. */
  frozen: boolean;
  /** A visitor's: it has no members, tables, pictures and versions. */
  inBrowser: boolean;
  mayEdit: boolean;
  /** Tables of a version are opened by owners and editors of its project, and joined from the project. */
  mayPlay: boolean;
  /** Id of the component that is shown. */
  shown: string | undefined;
  hasComponents: boolean;
  onOpen: (window: ProjectWindow) => void;
  onAdd: () => void;
}) {
  const navigate = useNavigate();
  const more: readonly MenuItem[] = [
    ...(frozen || inBrowser
      ? []
      : [{ label: 'Versions', icon: <History size={15} />, to: `/decks/${id}/versions` }]),
    ...(hasComponents
      ? [
          { label: 'Languages', icon: <Languages size={15} />, to: `/decks/${id}/languages` },
          ...(inBrowser
            ? []
            : [{ label: 'Credits', icon: <Copyright size={15} />, to: `/decks/credits/${id}` }]),
        ]
      : []),
  ];
  return (
    <>
      <Button
        variant="default"
        leftSection={<NotebookPen size={17} aria-hidden />}
        onClick={() => onOpen('notes')}
      >
        Notes
      </Button>
      <Button
        variant="default"
        data-tutorial="rulebooks"
        leftSection={<BookOpen size={17} aria-hidden />}
        onClick={() => onOpen('rulebooks')}
      >
        Rulebooks
      </Button>
      {!frozen && !inBrowser && (
        <Button
          variant="default"
          leftSection={<Users size={17} aria-hidden />}
          onClick={() => onOpen('members')}
        >
          Members
        </Button>
      )}
      <Button
        variant="default"
        component={Link}
        to={`/layouts/${id}`}
        leftSection={<LayoutTemplate size={17} aria-hidden />}
      >
        Layouts
      </Button>
      {!inBrowser && (
        <Button
          variant="default"
          component={Link}
          to={`/decks/images/${id}`}
          leftSection={<Images size={17} aria-hidden />}
        >
          Images
        </Button>
      )}
      {hasComponents && (
        <>
          {mayPlay && !inBrowser && (
            <Button
              variant="default"
              data-tutorial="playtest"
              leftSection={<Dices size={17} aria-hidden />}
              onClick={() => onOpen('playtest')}
            >
              Playtest
            </Button>
          )}
          <Button
            variant="default"
            data-tutorial="add-component"
            disabled={!mayEdit}
            leftSection={<Plus size={17} aria-hidden />}
            onClick={onAdd}
          >
            Add component
          </Button>
          <Button
            data-tutorial="export"
            leftSection={<Printer size={17} aria-hidden />}
            onClick={() => void navigate(`/decks/print/${id}${shown === undefined ? '' : `/${shown}`}`)}
          >
            Export
          </Button>
        </>
      )}
      {more.length > 0 && (
        <Menu label="More of this project" items={more}>
          <Ellipsis size={18} aria-hidden />
        </Menu>
      )}
    </>
  );
}
