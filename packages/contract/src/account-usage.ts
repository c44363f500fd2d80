import Type from 'typebox';
import { modeWords } from './modes.ts';
import { words } from './words.ts';

const limit = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: `${description} null: no limit.` });

export const AccountUsage = Type.Object(
  {
    id: Type.String({ description: 'acct_…' }),
    name: Type.String(),
    plan: Type.String({ description: 'Name of the plan.' }),
    suspension: Type.Union(
      [
        Type.Object(
          {
            reason: Type.String({ description: 'Human-readable reason, written by the operator.' }),
            suspended_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      {
        description:
          'Why and since when the account is suspended, or null. A suspended account can read, delete and appeal.',
      },
    ),
    mode: words(modeWords, 'Mode of the API key. Live and test data are separate.'),
    limits: Type.Object(
      {
        requests_per_minute: Type.Integer({ minimum: 0, description: 'Requests in any 60 seconds.' }),
        qr_codes: limit('QR codes that there may be in this mode, as far as they count against the plan.'),
        new_qr_codes_per_minute: limit('QR codes that may be created or edited in bulk in any 60 seconds.'),
        tags: Type.Integer({ minimum: 0, description: 'Tags that there may be in this mode.' }),
        rules_per_qr_code: Type.Integer({ minimum: 0, description: 'Rules that a QR code may have.' }),
        placements_per_qr_code: Type.Integer({
          minimum: 0,
          description: 'Placements that a QR code may have.',
        }),
        designs: Type.Integer({ minimum: 0, description: 'Designs that there may be in this mode.' }),
        asset_bytes: limit('Bytes that the assets may take in this mode.'),
        webhooks: Type.Integer({
          minimum: 0,
          description: 'Webhooks that there may be in this mode; 0 in live mode where the plan has none.',
        }),
        share_links: Type.Integer({
          minimum: 0,
          description: 'Share links that there may be in this mode.',
        }),
        members: limit('People who may belong to the account, pending invitations included.'),
      },
      { additionalProperties: false },
    ),
    used: Type.Object(
      {
        qr_codes: Type.Integer({ minimum: 0, description: 'QR codes that count against the limit.' }),
        tags: Type.Integer({ minimum: 0 }),
        members: Type.Integer({
          minimum: 0,
          description: 'People who belong to the account, and pending invitations.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'AccountUsage', additionalProperties: false },
);
