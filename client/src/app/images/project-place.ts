import { createContext, useContext } from 'react';
import type { Project } from '../../data/project/open-project.ts';

/** The project whose images are shown and chosen around here. */
export interface ProjectPlace {
  readonly project: Project;
  /** The user may add images to it. */
  readonly mayEdit: boolean;
}

/** Outside of any project there is none: images are those of the libraries. */
export const ProjectPlaceContext = createContext<ProjectPlace | undefined>(undefined);
export const useProjectPlace = (): ProjectPlace | undefined => useContext(ProjectPlaceContext);
