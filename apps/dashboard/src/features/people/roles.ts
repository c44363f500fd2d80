import type { Member } from '@signpost/contract';
import { peopleText } from '../../strings/people.ts';

export type Role = Member['role'];

/** The most powerful role first. */
export const allRoles: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

const words = peopleText.roles;

/** What a role may do, in one line. */
export const describeRole = (role: Role, editorsDelete: boolean): string =>
  role === 'editor' && editorsDelete ? words.editorDeletes : words[role];

/** An admin never touches an owner, nor makes one. */
export const mayChange = (own: Role, other: Role): boolean => own === 'owner' || other !== 'owner';
