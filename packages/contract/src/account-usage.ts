import Type from 'typebox';
import { modeWords } from './modes.ts';
import { words } from './words.ts';

const limit = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: `${description} null: no limit.` });

export const AccountUsage = Type.Object(
  {
    plan: Type.String({ description: 'Name of the plan.' }),
    mode: words(modeWords, 'Mode of the API key. Live and test data are separate.'),
    limits: Type.Object(
      {
        requests_per_minute: Type.Integer({ minimum: 0, description: 'Requests in any 60 seconds.' }),
        qr_codes: limit('QR codes that there may be in this mode, as far as they count against the plan.'),
        new_qr_codes_per_minute: limit('QR codes that may be created or edited in bulk in any 60 seconds.'),
        tags: Type.Integer({ minimum: 0, description: 'Tags that there may be in this mode.' }),
      },
      { additionalProperties: false },
    ),
    used: Type.Object(
      {
        qr_codes: Type.Integer({ minimum: 0, description: 'QR codes that count against the limit.' }),
        tags: Type.Integer({ minimum: 0 }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'AccountUsage', additionalProperties: false },
);
