import Type from 'typebox';
import { words } from './words.ts';

/** The audit log of an account. */

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const actorKinds = ['key', 'user', 'operator', 'nobody'] as const;

const cursor = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

const limit = (byDefault: number, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: byDefault, description: 'Events to return.' }));

export const AuditEvent = Type.Object(
  {
    cursor: Type.String({ description: 'Send it as `after` to read on behind this event.' }),
    id: Type.String({ description: 'A UUID, the same whenever the event is read.' }),
    at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    action: Type.String({
      description: 'Id of the operation in this document, such as `updateQrCode`; or `failedSignIn`.',
    }),
    actor: Type.Object(
      {
        kind: words(
          actorKinds,
          '`operator`: the operator of the service. `nobody`: somebody who was not signed in.',
        ),
        id: nullable(Type.String({ description: 'key_… or user_…' })),
        name: nullable(
          Type.String({
            description:
              'Name of the user or of the key today; `A person who left` for somebody who does not belong to the account any more.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    request_id: nullable(Type.String({ description: 'The X-Request-Id of the response.' })),
    subjects: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Such as qr_…' }),
          name: nullable(Type.String({ description: 'Name of a QR code today; null if it was deleted.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'What the event is about.' },
    ),
    fields: Type.Array(Type.String(), { description: 'Names of the fields that were sent with a change.' }),
    hosts: Type.Array(Type.String(), { description: 'Hosts of new destinations.' }),
    count: nullable(Type.Integer({ minimum: 0, description: 'How many were changed in bulk.' })),
  },
  { title: 'AuditEvent', additionalProperties: false },
);

export const AuditQuery = Type.Object({
  limit: limit(50, 200),
  before: cursor('Return events before this one: `next_cursor` of the page before.'),
  action: Type.Optional(Type.String({ maxLength: 64, description: 'Return only events with this action.' })),
  actor: Type.Optional(
    Type.String({ maxLength: 64, description: 'Return only events by this key or user: key_… or user_…' }),
  ),
});

export const AuditPage = Type.Object(
  {
    data: Type.Array(AuditEvent, { description: 'Newest first.' }),
    next_cursor: nullable(Type.String({ description: 'Send it as `before`; null on the last page.' })),
  },
  { title: 'AuditPage', additionalProperties: false },
);

export const AuditFeedQuery = Type.Object({
  limit: limit(100, 1000),
  after: cursor('Return events after this one. Without it, from the oldest that is kept.'),
});

export const AuditFeed = Type.Object(
  {
    data: Type.Array(AuditEvent, { description: 'Oldest first.' }),
    next_cursor: Type.String({ description: 'Send it as `after`, also later.' }),
    has_more: Type.Boolean({ description: 'Whether more are there already.' }),
  },
  { title: 'AuditFeed', additionalProperties: false },
);

export type AuditEvent = Type.Static<typeof AuditEvent>;
