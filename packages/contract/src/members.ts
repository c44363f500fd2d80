import Type from 'typebox';
import { roles } from './permissions.ts';
import { Email, PersonName } from './users.ts';
import { words } from './words.ts';

/** The people of an account, the accounts of a person, and invitations. Of the dashboard alone. */

const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const AccountName = Type.String({
  ...PersonName,
  'x-form': '1 to 100 characters in one line, without control or invisible characters and without a link',
  description: 'Name of the account. People whom it invites see it. One line, without links.',
});

const role = (description: string) => words(roles, description);
const inviter = Type.String({
  description: 'Email address of the person who invited, or `The operator of this service`.',
});

const accountFields = {
  id: Type.String({ description: 'acct_…' }),
  name: Type.String(),
  role: role('What the signed-in person is in this account.'),
  plan: Type.String(),
};

/** An account of the signed-in person. */
export const OwnAccount = Type.Object(accountFields, { title: 'OwnAccount', additionalProperties: false });

export const OwnAccountItem = Type.Object(
  {
    ...accountFields,
    scans: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Scans of its live codes in the last 7 days, or null if analytics are unavailable.',
      }),
    ),
  },
  { title: 'OwnAccountItem', additionalProperties: false },
);

export const OwnAccountList = Type.Object(
  {
    data: Type.Array(OwnAccountItem, { description: 'The oldest membership first.' }),
    can_create: Type.Boolean({ description: 'Whether the person may create another account.' }),
    limit: Type.Integer({ minimum: 0, description: 'How many accounts a person may own.' }),
  },
  { title: 'OwnAccountList', additionalProperties: false },
);

export const CreateAccount = Type.Object(
  {
    name: AccountName,
    copy_designs_from: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Id of another account of the person. Its live designs and their logos are copied to the new one.',
      }),
    ),
  },
  { title: 'CreateAccount', additionalProperties: false },
);

export const UpdateAccount = Type.Object(
  {
    name: Type.Optional(AccountName),
    editors_delete: Type.Optional(Type.Boolean({ description: 'Whether editors may delete codes.' })),
  },
  { title: 'UpdateAccount', additionalProperties: false, minProperties: 1 },
);

export const Member = Type.Object(
  {
    id: Type.String({ description: 'user_…' }),
    name: Type.String(),
    email: Type.String(),
    role: role('What this person may do in the account.'),
    is_you: Type.Boolean({ description: 'Whether this is the signed-in person.' }),
    joined_at: timestamp('When the person joined the account.'),
    keys: Type.Integer({
      minimum: 0,
      description: 'Valid API keys that the person created. They stay valid when the person is removed.',
    }),
  },
  { title: 'Member', additionalProperties: false },
);

export const MemberList = Type.Object(
  {
    data: Type.Array(Member, { description: 'The oldest membership first.' }),
    limit: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'How many people the plan includes, pending invitations included, or null if there is no limit.',
      }),
    ),
  },
  { title: 'MemberList', additionalProperties: false },
);

export const UpdateMember = Type.Object(
  { role: role('The new role.') },
  { title: 'UpdateMember', additionalProperties: false },
);

export const RemovedMember = Type.Object(
  { removed: Type.Literal(true), id: Type.String() },
  { title: 'RemovedMember', additionalProperties: false },
);

const invitationFields = {
  id: Type.String({ description: 'inv_…' }),
  email: Type.String(),
  role: role('What the invited person will be.'),
  invited_by: inviter,
  created_at: timestamp('When the invitation was sent last.'),
  expires_at: timestamp('7 days after that.'),
  expired: Type.Boolean(),
};

export const Invitation = Type.Object(invitationFields, {
  title: 'Invitation',
  additionalProperties: false,
});

export const InvitationList = Type.Object(
  { data: Type.Array(Invitation, { description: 'Newest first, without accepted and revoked ones.' }) },
  { title: 'InvitationList', additionalProperties: false },
);

export const SentInvitation = Type.Object(
  {
    ...invitationFields,
    link: nullable(
      Type.String({
        description:
          'The link to pass on, where the installation sends no email. It is shown only once. Null if it was sent.',
      }),
    ),
  },
  { title: 'SentInvitation', additionalProperties: false },
);

export const CreateInvitation = Type.Object(
  { email: Email, role: role('What the invited person will be.') },
  { title: 'CreateInvitation', additionalProperties: false },
);

export const RevokedInvitation = Type.Object(
  { revoked: Type.Literal(true), id: Type.String() },
  { title: 'RevokedInvitation', additionalProperties: false },
);

export const InvitationToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Token from the link of an invitation.',
});

export const GivenInvitation = Type.Object(
  { token: InvitationToken },
  { title: 'GivenInvitation', additionalProperties: false },
);

/** What somebody who has the link may know. */
export const InvitationDetails = Type.Object(
  {
    account_name: Type.String(),
    role: role('What the invited person will be.'),
    invited_by: inviter,
    email: Type.String({ description: 'The invited address, masked, such as `a•••@example.com`.' }),
    expires_at: timestamp('When the link stops working.'),
  },
  { title: 'InvitationDetails', additionalProperties: false },
);

/** An invitation to the address of the signed-in person. */
export const PendingInvitation = Type.Object(
  {
    account_name: Type.String(),
    role: role('What the person will be.'),
    invited_by: inviter,
    expires_at: timestamp('When the link stops working.'),
  },
  { title: 'PendingInvitation', additionalProperties: false },
);

export type OwnAccount = Type.Static<typeof OwnAccount>;
export type OwnAccountItem = Type.Static<typeof OwnAccountItem>;
export type OwnAccountList = Type.Static<typeof OwnAccountList>;
export type CreateAccount = Type.Static<typeof CreateAccount>;
export type UpdateAccount = Type.Static<typeof UpdateAccount>;
export type Member = Type.Static<typeof Member>;
export type MemberList = Type.Static<typeof MemberList>;
export type Invitation = Type.Static<typeof Invitation>;
export type SentInvitation = Type.Static<typeof SentInvitation>;
export type CreateInvitation = Type.Static<typeof CreateInvitation>;
export type InvitationDetails = Type.Static<typeof InvitationDetails>;
export type PendingInvitation = Type.Static<typeof PendingInvitation>;
