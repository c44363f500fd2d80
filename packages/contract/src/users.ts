import Type from 'typebox';
import { languages } from './values.ts';
import { words } from './words.ts';

/** People, and how they sign in. Of the dashboard alone: programs use API keys. */

export const passwordLength = { min: 10, max: 128 } as const;

/** What better-auth accepts: with any other address a person could be created, and could never sign in. */
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern:
    "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+\\-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  'x-form': 'an e-mail address of at most 254 characters, such as ada@example.com',
  description: 'Email address, not case-sensitive.',
});

const NewPassword = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description:
    '10 to 128 characters. Common passwords and ones based on the email address or the name are rejected.',
});

/** What is only compared may have any length: a rule here would tell a guesser something. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: passwordLength.max });

/**
 * Control characters, line breaks, marks that turn the direction of writing, and what takes no ink; but for the joiners, which
 * Persian names and emoji are written with.
 */
const unseen =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\uD800-\\uDFFF';

/** A name may be read by others, so that it must be what it seems, and no link. */
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^[^${unseen}]*[^\\s${unseen}][^${unseen}]*$`,
  not: { pattern: '://|[wW][wW][wW]\\.' },
  'x-visible': true,
  'x-form': '1 to 100 characters in one line, without control or invisible characters and without a link',
  description: 'Name of the user, shown in the history of codes. One line, without links.',
});

export const LanguageChoice = words(
  languages,
  'Language of the dashboard and of mails to the user. If unset, that of the browser, and English in mails.',
);

export const SignUp = Type.Object(
  {
    name: PersonName,
    email: Email,
    password: NewPassword,
    invitation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Token of an invitation to this email address. The user joins its account, also where sign-up is closed.',
      }),
    ),
    language: Type.Optional(LanguageChoice),
  },
  { title: 'SignUp', additionalProperties: false },
);

export const CreateFirstOperator = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Token from the file first-operator-token next to the spool directory of the server.',
    }),
    name: PersonName,
    email: Email,
    password: NewPassword,
  },
  { title: 'CreateFirstOperator', additionalProperties: false },
);

export const SignIn = Type.Object(
  { email: Email, password: GivenPassword },
  { title: 'SignIn', additionalProperties: false },
);

export const RequestReset = Type.Object(
  { email: Email },
  { title: 'RequestReset', additionalProperties: false },
);

export const ResetPassword = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'Token from the link in the email.' }),
    password: NewPassword,
    revoke_keys: Type.Optional(
      Type.Boolean({
        description:
          'Whether to revoke every API key of the account. If the address was not confirmed before, they are always revoked.',
      }),
    ),
  },
  { title: 'ResetPassword', additionalProperties: false },
);

export const PasswordReset = Type.Object(
  {
    done: Type.Literal(true),
    keys_revoked: Type.Integer({ minimum: 0 }),
    email_confirmed: Type.Boolean({
      description: 'Whether this confirmed the email address for the first time.',
    }),
    codes_paused: Type.Integer({
      minimum: 0,
      description:
        'Number of codes that were paused because somebody else may have created them: their short links were held until the address was confirmed.',
    }),
    webhooks_disabled: Type.Integer({
      minimum: 0,
      description:
        'Number of webhooks that were disabled because they were created before the address was confirmed.',
    }),
  },
  { title: 'PasswordReset', additionalProperties: false },
);

export const VerifyEmail = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: 'Token from the link in the email.' }) },
  { title: 'VerifyEmail', additionalProperties: false },
);

export const ChangePassword = Type.Object(
  { current_password: GivenPassword, new_password: NewPassword },
  { title: 'ChangePassword', additionalProperties: false },
);

/** Asked again before a change that outlasts the session. */
const CurrentPassword = Type.String({
  ...GivenPassword,
  description: 'The password of the user, required so that nobody else at an unattended browser can do this.',
});

export const ChangeEmail = Type.Object(
  { email: Email, current_password: CurrentPassword },
  { title: 'ChangeEmail', additionalProperties: false },
);

export const EmailChange = Type.Object(
  {
    pending: Type.Union([
      Type.Object(
        { email: Type.String(), expires_at: Type.String({ format: 'date-time' }) },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  {
    title: 'EmailChange',
    additionalProperties: false,
    description: 'The new address that is waiting for confirmation, or null.',
  },
);

export const CloseAccount = Type.Object(
  {
    confirmation: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The email address of the user, typed as confirmation.',
    }),
    current_password: CurrentPassword,
  },
  { title: 'CloseAccount', additionalProperties: false },
);

export const User = Type.Object(
  {
    id: Type.String({ description: 'user_…' }),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean({ description: 'Whether the user has confirmed the email address.' }),
    is_operator: Type.Boolean({ description: 'Whether the user is an operator of the installation.' }),
  },
  { title: 'User', additionalProperties: false },
);

export const SignedIn = Type.Object({ user: User }, { title: 'SignedIn', additionalProperties: false });

export const SignInOptions = Type.Object(
  {
    sign_up: Type.Boolean({ description: 'Whether anyone can sign up at the moment.' }),
    first_user: Type.Boolean({
      description: 'Whether there is no operator yet. The token of the server creates the first one.',
    }),
    sends_mail: Type.Boolean({
      description:
        'Whether reset links are sent by email. Otherwise the operator creates them with `signpost admin reset-link`.',
    }),
  },
  { title: 'SignInOptions', additionalProperties: false },
);

export const Done = Type.Object({ done: Type.Literal(true) }, { title: 'Done', additionalProperties: false });

const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const Session = Type.Object(
  {
    id: Type.String({ description: 'ses_…' }),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    device: Type.String({
      description:
        'Browser and device, such as “Chrome, desktop”. Neither the IP address nor the user agent is stored.',
    }),
    created_at: timestamp('When the user signed in.'),
    expires_at: timestamp('When the session expires. Extended while it is in use.'),
  },
  { title: 'Session', additionalProperties: false },
);

export const SessionList = Type.Object(
  { data: Type.Array(Session) },
  { title: 'SessionList', additionalProperties: false },
);

export type SignUp = Type.Static<typeof SignUp>;
export type CreateFirstOperator = Type.Static<typeof CreateFirstOperator>;
export type SignIn = Type.Static<typeof SignIn>;
export type User = Type.Static<typeof User>;
export type Session = Type.Static<typeof Session>;
export type SignInOptions = Type.Static<typeof SignInOptions>;
export type PasswordReset = Type.Static<typeof PasswordReset>;
