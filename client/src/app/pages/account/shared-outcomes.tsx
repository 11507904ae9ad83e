import { NativeSelect } from '@mantine/core';
import { isolated } from '../../../core/text/names.ts';
import type { Outcome } from '../../../data/account/account.ts';
import { isShared, otherMembers, roleOf } from '../../../data/project/members.ts';
import { type ListedProject, useJoinedProjects } from '../../../data/project/queries.ts';
import css from './account.module.css';

/** Value of the choice that deletes a project. */
const DELETE = '';

/** The user's projects that others work on too; `undefined` while they are not known. */
export function useSharedOwn(uid: string): readonly ListedProject[] | undefined {
  const { data } = useJoinedProjects();
  return data?.items.filter((project) => project.owner === uid && isShared(project));
}

/** The member who most likely goes on: one with the owner's role, else an editor, else anybody. */
function likeliest(project: ListedProject): string {
  const members = otherMembers(project).map(([uid]) => uid);
  const having = (role: string) => members.find((uid) => roleOf(project, uid) === role);
  return having('owner') ?? having('editor') ?? members[0] ?? DELETE;
}

const outcomeOf = (project: ListedProject, chosen: Readonly<Record<string, Outcome>>): Outcome =>
  chosen[project.id] ?? { offerTo: likeliest(project) };

/** The outcome of each project: the chosen one, or an offer to the likeliest member. */
export const outcomesOf = (
  projects: readonly ListedProject[],
  chosen: Readonly<Record<string, Outcome>>,
): Record<string, Outcome> =>
  Object.fromEntries(projects.map((project) => [project.id, outcomeOf(project, chosen)]));

/** Asks for each project with members who gets it when the account is deleted. */
export function SharedOutcomes({
  projects,
  chosen,
  onChoose,
}: {
  projects: readonly ListedProject[];
  chosen: Readonly<Record<string, Outcome>>;
  onChoose: (project: string, outcome: Outcome) => void;
}) {
  return (
    <fieldset className={css.outcomes}>
      <legend>Others work on these projects</legend>
      <p>
        Whoever a project is offered to has 30 days to accept. Until then its members work on it as before; if
        nobody takes it, it is deleted.
      </p>
      <ul>
        {projects.map((project) => {
          const outcome = outcomeOf(project, chosen);
          return (
            <li key={project.id}>
              <bdi>{project.name}</bdi>
              <NativeSelect
                size="xs"
                aria-label={`What becomes of ${isolated(project.name)}`}
                value={outcome === 'delete' ? DELETE : outcome.offerTo}
                data={[
                  ...otherMembers(project).map(([uid]) => ({
                    value: uid,
                    label: `Offer it to ${project.people[uid] ?? 'a member without a name'}`,
                  })),
                  { value: DELETE, label: 'Delete it for everybody' },
                ]}
                onChange={({ currentTarget: { value } }) =>
                  onChoose(project.id, value === DELETE ? 'delete' : { offerTo: value })
                }
              />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
