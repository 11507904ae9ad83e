import { ROLES } from '../../../data/documents/documents.ts';
import { ROLE_NAMES } from '../../../data/project/members.ts';

/** Every role, as choices of a field. */
export const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }));
