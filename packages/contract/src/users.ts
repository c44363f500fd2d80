import Type from 'typebox';

/** People, and how they sign in. Of the dashboard alone: programs use API keys. */

export const passwordLength = { least: 10, most: 128 } as const;

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]+@[^\\s@\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]+$',
  description: 'E-mail address; taken without regard to case.',
});

const NewPassword = Type.String({
  minLength: passwordLength.least,
  maxLength: passwordLength.most,
  description: 'At least 10 characters, at most 128. No other rule.',
});

/** What is only compared may have any length: a rule here would tell a guesser something. */
const GivenPassword = Type.String({ minLength: 1, maxLength: passwordLength.most });

export const PersonName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*[^\\s\\u0000\\uD800-\\uDFFF][^\\u0000\\uD800-\\uDFFF]*$',
  description: 'Shown in the history of codes.',
});

export const SignUp = Type.Object(
  { name: PersonName, email: Email, password: NewPassword },
  { title: 'SignUp', additionalProperties: false },
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
  },
  { title: 'ResetPassword', additionalProperties: false },
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
    is_operator: Type.Boolean({ description: 'The first user of this installation.' }),
  },
  { title: 'User', additionalProperties: false },
);

export const SignedIn = Type.Object({ user: User }, { title: 'SignedIn', additionalProperties: false });

export const SignInOptions = Type.Object(
  {
    sign_up: Type.Boolean({ description: 'Whether a stranger may sign up at this moment.' }),
    first_user: Type.Boolean({ description: 'Nobody has signed up yet: whoever does is the operator.' }),
    sends_mail: Type.Boolean({
      description:
        'Whether a reset link goes out by mail; else it is in the log, for the operator to hand on.',
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
export type SignIn = Type.Static<typeof SignIn>;
export type User = Type.Static<typeof User>;
export type Session = Type.Static<typeof Session>;
export type SignInOptions = Type.Static<typeof SignInOptions>;
