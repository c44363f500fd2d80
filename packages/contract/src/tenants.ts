import Type from 'typebox';
import { AccountName } from './members.ts';
import { ExternalId } from './organise.ts';
import { pageQuery } from './pages.ts';
import { ListPagination } from './qrcodes.ts';
import { Email } from './users.ts';

/** Accounts that a platform manages by an operator key. */

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` });
const limit = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: `${description} null: no limit.` });
const Plan = Type.String({ minLength: 1, maxLength: 100, description: 'Name of a plan, such as `pro`.' });
const AccountExternalId = Type.Unsafe<string | null>({
  ...ExternalId,
  description: 'Id of the account in your own system, unique among your accounts.',
});

const ownLimit = (minimum: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum: 2_000_000_000 }), Type.Null()], {
      description: `${description} null: that of the plan.`,
    }),
  );

export const Tenant = Type.Object(
  {
    id: Type.String({ description: 'acct_…' }),
    name: Type.String(),
    external_id: nullable(Type.String()),
    plan: Type.String({ description: 'Name of the plan.' }),
    limits: Type.Object(
      {
        requests_per_minute: Type.Integer({ minimum: 0, description: 'Requests in any 60 seconds.' }),
        qr_codes: limit('Live QR codes, as far as they count against the plan.'),
        new_qr_codes_per_minute: limit('QR codes that may be created in any 60 seconds in each mode.'),
        members: limit('People who may belong to the account, pending invitations included.'),
      },
      { additionalProperties: false },
    ),
    used: Type.Object(
      {
        qr_codes: Type.Integer({ minimum: 0, description: 'Live QR codes that count against the limit.' }),
        members: Type.Integer({
          minimum: 0,
          description: 'People who belong to the account, and pending invitations.',
        }),
      },
      { additionalProperties: false },
    ),
    suspension: Type.Union(
      [
        Type.Object(
          {
            reason: Type.String(),
            suspended_at: timestamp('Since when.'),
            by_operator: Type.Boolean({
              description: 'Whether the operator of the service suspended it, who alone can release it then.',
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'Why and since when the account is suspended, or null.' },
    ),
    created_at: timestamp('When the account was created.'),
  },
  { title: 'Tenant', additionalProperties: false },
);

export const CreatedTenant = Type.Object(
  {
    ...Tenant.properties,
    link: nullable(
      Type.String({
        description:
          'The link for the owner, where the installation sends no email. It is shown only once. Null if it was sent, or without `owner_email`.',
      }),
    ),
  },
  { title: 'CreatedTenant', additionalProperties: false },
);

export const CreateTenant = Type.Object(
  {
    name: AccountName,
    plan: Type.Optional(Plan),
    external_id: Type.Optional(AccountExternalId),
    owner_email: Type.Optional(
      Type.Unsafe<string>({ ...Email, description: 'Invites this person as the owner of the account.' }),
    ),
  },
  { title: 'CreateTenant', additionalProperties: false },
);

export const UpdateTenant = Type.Object(
  {
    name: Type.Optional(AccountName),
    plan: Type.Optional(Plan),
    external_id: Type.Optional(AccountExternalId),
    limits: Type.Optional(
      Type.Object(
        {
          requests_per_minute: ownLimit(1, 'Requests in any 60 seconds.'),
          qr_codes: ownLimit(0, 'Live QR codes.'),
          new_qr_codes_per_minute: ownLimit(1, 'QR codes created in any 60 seconds.'),
        },
        {
          title: 'OwnLimits',
          additionalProperties: false,
          description: 'Limits of this account in place of those of its plan.',
        },
      ),
    ),
    suspension: Type.Optional(
      Type.Union(
        [
          Type.Object(
            {
              reason: Type.String({
                minLength: 1,
                maxLength: 1000,
                pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
                'x-form': '1 to 1,000 characters of well-formed text',
                description: 'Human-readable reason, shown to the people of the account.',
              }),
            },
            { title: 'SuspendTenant', additionalProperties: false },
          ),
          Type.Null(),
        ],
        { description: 'Suspends the account: its links stop at once. null releases it.' },
      ),
    ),
  },
  { title: 'UpdateTenant', additionalProperties: false, minProperties: 1 },
);

export const TenantsQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  external_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Return only the account with this external id.',
    }),
  ),
});

export const TenantList = Type.Object(
  { data: Type.Array(Tenant, { description: 'Newest first.' }), pagination: ListPagination },
  { title: 'TenantList', additionalProperties: false },
);

export type Tenant = Type.Static<typeof Tenant>;
export type UpdateTenant = Type.Static<typeof UpdateTenant>;
