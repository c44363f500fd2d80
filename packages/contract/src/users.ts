import Type from 'typebox';

/** People, and how they sign in. Of the dashboard alone: programs use API keys. */

export const passwordLength = { least: 10, most: 128 } as const;

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]+@[^\\s@\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]+$',
  'x-form': 'an e-mail address of at most 254 characters, such as ada@example.com',
  description: 'E-mail address; taken without regard to case.',
});

const NewPassword = Type.String({
  minLength: passwordLength.least,
  maxLength: passwordLength.most,
  description: 'At least 10 characters, at most 128; no common one, and not made of the e-mail or the name.',
});

/** What is only compared may have any length: a rule here would tell a guesser something. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: passwordLength.most });

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
  description: 'Shown in the history of codes. One line, no link.',
});

export const SignUp = Type.Object(
  { name: PersonName, email: Email, password: NewPassword },
  { title: 'SignUp', additionalProperties: false },
);

export const CreateFirstOperator = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'From the file first-operator-token beside the spool of the server.',
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
    token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link that was sent.' }),
    password: NewPassword,
    revoke_keys: Type.Optional(
      Type.Boolean({
        description:
          'Whether to revoke every API key of the account. Where the address was not confirmed before, they are revoked in any case.',
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
      description: 'Whether this link was the first proof that the address is the user’s.',
    }),
    codes_paused: Type.Integer({
      minimum: 0,
      description:
        'Codes whose short links waited for the address to be confirmed. Somebody else may have made them, so they are paused.',
    }),
    webhooks_disabled: Type.Integer({
      minimum: 0,
      description: 'Webhooks that were there before the address was confirmed. They are disabled.',
    }),
  },
  { title: 'PasswordReset', additionalProperties: false },
);

export const VerifyEmail = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link that was sent.' }) },
  { title: 'VerifyEmail', additionalProperties: false },
);

export const ChangePassword = Type.Object(
  { current_password: GivenPassword, new_password: NewPassword },
  { title: 'ChangePassword', additionalProperties: false },
);

export const User = Type.Object(
  {
    id: Type.String({ description: 'user_…' }),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean({ description: 'Whether the user has shown that the address is theirs.' }),
    is_operator: Type.Boolean({ description: 'Whether this person runs the installation.' }),
  },
  { title: 'User', additionalProperties: false },
);

export const SignedIn = Type.Object({ user: User }, { title: 'SignedIn', additionalProperties: false });

export const SignInOptions = Type.Object(
  {
    sign_up: Type.Boolean({ description: 'Whether a stranger may sign up at this moment.' }),
    first_user: Type.Boolean({
      description: 'There is no operator yet: the token of the server makes the first.',
    }),
    sends_mail: Type.Boolean({
      description:
        'Whether a reset link goes out by mail; else the operator makes one by `signpost admin reset-link`.',
    }),
  },
  { title: 'SignInOptions', additionalProperties: false },
);

export const Done = Type.Object({ done: Type.Literal(true) }, { title: 'Done', additionalProperties: false });

const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const Session = Type.Object(
  {
    id: Type.String({ description: 'ses_…' }),
    current: Type.Boolean({ description: 'The one that asks.' }),
    device: Type.String({
      description: 'Such as “Chrome, desktop”. Neither address nor user agent is kept.',
    }),
    created_at: timestamp('When it was signed in.'),
    expires_at: timestamp('Moves on while the session is used.'),
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
