/**
 * Owners of other people's projects and layouts. An address names a project alone; its owner becomes known when the
 * project is looked up, before any of it is read.
 */
const projects = new Map<string, string>();
const layouts = new Map<string, string>();

/** Notes whose a project is. */
export function rememberOwner(project: string, owner: string): void {
  projects.set(project, owner);
}

/** Notes that a project is the user's own, or nobody's that is known. */
export function forgetOwner(project: string): void {
  projects.delete(project);
}

/** Owner of a project; `undefined` for the user's own. */
export function ownerOfProject(project: string): string | undefined {
  return projects.get(project);
}

/** Notes whose a layout is. */
export function rememberLayoutOwner(layout: string, owner: string): void {
  layouts.set(layout, owner);
}

/** Owner of a layout; `undefined` for the user's own. */
export function ownerOfLayout(layout: string): string | undefined {
  return layouts.get(layout);
}

/** Notes that the layouts which a project uses are kept with the project's owner. */
export function rememberLayoutsOf(project: string, used: readonly string[]): void {
  const owner = ownerOfProject(project);
  if (owner !== undefined) for (const layout of used) rememberLayoutOwner(layout, owner);
}
