import Type from 'typebox';
import type { Operation } from './operation.ts';
import {
  AccountList,
  AccountsQuery,
  EndedSessions,
  ListedAccount,
  OperatorPerson,
  PeopleList,
  PeopleQuery,
  PlanList,
  SendResetLink,
  SentResetLink,
  SetOperator,
  SetPlan,
  SetupCheck,
} from './operator.ts';

const params = (description: string) => Type.Object({ id: Type.String({ description }) });
const person = params('Id of the person, `user_…`.');

/** For operators alone: everybody else is refused. */
const operator = {
  tag: 'Operator',
  authScheme: 'operatorSession',
  errors: ['forbidden'],
  noReplay: true,
  whileSuspended: true,
} as const;

/** What an operator does about people, accounts and plans, and the check of the installation. */
export const operatorOperations = {
  listPeople: {
    ...operator,
    id: 'listPeople',
    method: 'GET',
    path: '/account/operator/people',
    summary: 'List people',
    description: 'Returns everyone who can sign in, newest first.',
    query: PeopleQuery,
    success: { status: 200, description: 'One page of people.', schema: PeopleList },
  },
  endPersonSessions: {
    ...operator,
    id: 'endPersonSessions',
    method: 'POST',
    path: '/account/operator/people/{id}/end-sessions',
    summary: 'End all sessions of a person',
    description:
      'Ends the sessions immediately, on every process. If the person is you, your current session is kept.',
    params: person,
    success: { status: 200, description: 'The number of sessions that have ended.', schema: EndedSessions },
    errors: ['forbidden', 'not_found'],
  },
  setPersonOperator: {
    ...operator,
    id: 'setPersonOperator',
    method: 'POST',
    path: '/account/operator/people/{id}/operator',
    summary: 'Grant or revoke the operator role',
    description: 'Requires the password. There is always at least one operator.',
    params: person,
    body: SetOperator,
    success: { status: 200, description: 'The person.', schema: OperatorPerson },
    errors: ['forbidden', 'not_found'],
  },
  sendPersonReset: {
    ...operator,
    id: 'sendPersonReset',
    method: 'POST',
    path: '/account/operator/people/{id}/reset-link',
    summary: 'Send a password reset link',
    description:
      'Sends the link by email. If the installation does not send email, the response contains the link for you to pass on. It is valid for one hour and works once. Requires the password.',
    params: person,
    body: SendResetLink,
    showsSecret: true,
    success: { status: 200, description: 'The link was sent, or is in the response.', schema: SentResetLink },
    errors: ['forbidden', 'not_found'],
  },
  listAccounts: {
    ...operator,
    id: 'listAccounts',
    method: 'GET',
    path: '/account/operator/accounts',
    summary: 'List accounts',
    description: 'Returns the newest first, each with its plan and usage.',
    query: AccountsQuery,
    success: { status: 200, description: 'One page of accounts.', schema: AccountList },
  },
  setAccountPlan: {
    ...operator,
    id: 'setAccountPlan',
    method: 'POST',
    path: '/account/operator/accounts/{id}/plan',
    summary: 'Change the plan of an account',
    description:
      'By the time of the response, every process applies the new plan. Existing codes are not changed.',
    params: params('Id of the account, `acct_…`.'),
    body: SetPlan,
    success: { status: 200, description: 'The account.', schema: ListedAccount },
    errors: ['forbidden', 'not_found'],
  },
  listPlans: {
    ...operator,
    id: 'listPlans',
    method: 'GET',
    path: '/account/operator/plans',
    summary: 'List plans',
    description: 'Returns the plans with their limits and their number of accounts.',
    success: { status: 200, description: 'The plans.', schema: PlanList },
  },
  runSetupCheck: {
    ...operator,
    id: 'runSetupCheck',
    method: 'GET',
    path: '/account/operator/setup-check',
    summary: 'Check the installation',
    description:
      'Runs the checks of `signpost doctor` in the process that handles the request: settings, engines, public address, certificate, proxy, mail and backups. Takes a few seconds. Concurrent calls share one run.',
    success: { status: 200, description: 'The findings.', schema: SetupCheck },
  },
} as const satisfies Record<string, Operation>;
