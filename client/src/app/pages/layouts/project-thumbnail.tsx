import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Component, LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { imagesForCovers, namedAsInProject, showOnCover } from '../../../data/images/cover-images.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { LayoutThumbnail } from './layout-thumbnail.tsx';

/** Time for which the images of a project are cached, in milliseconds. */
const FRESH_MS = 60_000;
const NO_COLUMNS: Component['columns'] = [];

/** A project's layout among those of other projects, with the images that it shows in its own. */
export function ProjectThumbnail({ project, layout }: { project: Project; layout: WithId<LayoutDocument> }) {
  const { data: images } = useQuery({
    queryKey: ['images for covers', project.id],
    queryFn: () => imagesForCovers(project),
    staleTime: FRESH_MS,
    // Without its images a layout is still a layout.
    retry: false,
  });
  const { id, scene } = layout;
  const cover = useMemo(
    () => images && namedAsInProject(project.id, scene, sampleCells(scene), NO_COLUMNS, images),
    [project.id, scene, images],
  );
  const shared = cover?.shared;
  useEffect(
    () => (shared ? showOnCover(`${project.id}/${id}`, shared) : undefined),
    [project.id, id, shared],
  );
  return <LayoutThumbnail layout={cover?.layout ?? scene} cells={cover?.cells} />;
}
