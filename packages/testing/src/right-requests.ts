import { type Operation, operationExamples, operations, type Role } from '@signpost/contract';
import type { Uuid } from '../../../apps/server/src/kernel/ids.ts';
import { formatId } from '../../../apps/server/src/kernel/ids.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import type { Reply, TestApi } from './api.ts';
import { type Browser, goodPassword, newEmail, signUp } from './people.ts';
import * as tenants from './tenants.ts';

/** A right request of every operation, for tests that are generated from the contract. */

/** A person who has signed up, with the account. */
export type Member = Browser & {
  readonly email: string;
  readonly userId: Uuid;
  readonly accountId: Uuid;
  readonly tenant: tenants.Tenant;
};

export async function newMember(api: TestApi): Promise<Member> {
  const browser = await signUp(api);
  const [row] = await api.api.db.query<{ account_id: Uuid; user_id: Uuid }>(accountOf, [browser.email]);
  const headers = toHeaders(api, browser);
  const tenant = { name: 'member', key: '', ids: new Map(), session: { prefix: '/account', headers } };
  return { ...browser, accountId: row!.account_id, userId: row!.user_id, tenant };
}

const toHeaders = (api: TestApi, { cookies }: Pick<Browser, 'cookies'>) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  origin: new URL(api.config.publicUrl).origin,
});

/** Adds a person to an account, as an accepted invitation does. */
export async function join(api: TestApi, userId: Uuid, accountId: Uuid, role: Role): Promise<void> {
  await api.api.db.query(addMember, [userId, accountId, role]);
}

const accountOf = sql(
  'test-account-of',
  'select m.account_id, u.id as user_id from members m join auth_users u on u.id = m.user_id where u.email = $1',
);
const addMember = sql(
  'test-join',
  `with joined as (
     insert into members (user_id, account_id, role, created_at, invited) values ($1, $2, $3, now(), true)
   )
   update auth_users set no_account_at = null where id = $1`,
);

export const menu = { name: 'Menu', destination_url: 'https://example.com/' };
const password = { current_password: goodPassword };
export const newKey = { ...password, name: 'Key', mode: 'live' };
const view = { name: 'Mine', query: 'status=active' };

/** A key that may do the operation. */
export const newKeyFor = ({ testModeOnly }: Operation) => ({
  ...newKey,
  mode: testModeOnly ? 'test' : 'live',
});

/** A right body of each operation that takes one: that of its example, unless that names something that exists. */
const bodyOf = ({ id }: Operation, { email }: Pick<Member, 'email'>, subject: string): unknown =>
  ({
    createQrCode: menu,
    bulkCreateQrCodes: { items: [menu] },
    createShareLink: { title: 'Figures', days: 7 },
    createDesign: { name: 'House style', style: { dotsType: 'rounded' } },
    sendTestScans: { qr_id: subject },
    bulkEditQrCodes: { ids: [subject], set: { note: 'Printed' } },
    bulkDeleteQrCodes: { ids: [subject], expected_count: 1 },
    createSheet: { qr_ids: [subject], layout: 'avery-l7160' },
    zipImages: { qr_ids: [subject], format: 'svg' },
    verifyEmail: { token: 'x'.repeat(32) },
    confirmEmailChange: { token: 'x'.repeat(32) },
    changePassword: { ...password, new_password: 'another correct horse' },
    changeEmail: { ...password, email: newEmail() },
    closeAccount: { ...password, confirmation: email },
    createKey: newKey,
    updateKey: { name: 'Till' },
    updateMe: { name: 'Other' },
    createView: view,
    updateView: { name: 'Yours' },
    appealCode: { text: 'It is ours.' },
    appealAccount: { text: 'It is ours.' },
    createAccount: { name: 'Café Blum' },
    updateAccount: { name: 'Café Rosa' },
    updateMember: { role: 'editor' },
    createInvitation: { email: newEmail(), role: 'editor' },
    acceptInvitation: { token: 'x'.repeat(32) },
  })[id as string] ?? operationExamples[id as keyof typeof operations]?.body;

/**
 * What a right request is answered where something else is missing: a mailed link, a suspension, a mail server, or another
 * owner.
 */
export const otherRefusals: Readonly<Record<string, number>> = {
  verifyEmail: 400,
  confirmEmailChange: 400,
  changeEmail: 403,
  appealCode: 404,
  appealAccount: 404,
  acceptInvitation: 400,
};

/** Creates what the operation is about, as an owner, and returns its id. */
export async function createSubject(api: TestApi, member: Member, operation: Operation): Promise<string> {
  const { id, path } = operation;
  const post = async (url: string, body: unknown): Promise<string> =>
    (await member.call({ method: 'POST', url, body, mode: operation.testModeOnly ? 'test' : 'live' })).body
      .id;
  const create = async (creator: Operation, within = '') =>
    post(`/account${creator.path.replace('{id}', within)}`, bodyOf(creator, member, within));
  if (id === 'upsertQrCode') return 'ext:menu';
  // The last owner cannot leave.
  if (id === 'leaveAccount') return await addColleague(api, member, 'owner');
  if (path.includes('{name}')) {
    await post('/account/v1/qrcodes', { ...menu, tags: ['red'] });
    return 'red';
  }
  if (['bulkEditQrCodes', 'bulkDeleteQrCodes', 'createSheet', 'zipImages', 'sendTestScans'].includes(id))
    return create(operations.createQrCode);
  if (!path.includes('{id}')) return '';
  const collection = tenants.collectionOf(operation);
  if (collection === 'keys') return post('/account/keys', newKey);
  if (collection === 'views') return post('/account/views', view);
  if (collection === 'sessions') return (await member.call({ url: '/auth/sessions' })).body.data[0].id;
  if (collection === 'members') return await addColleague(api, member);
  if (collection === 'invitations')
    return post('/account/invitations', { email: newEmail(), role: 'viewer' });
  if (collection === 'deliveries')
    return create(operations.testWebhook, await create(operations.createWebhook));
  const created = await create(tenants.creatorOf(collection));
  if (path.includes('{key}')) await tenants.addPlacement(api.call, member.tenant, created);
  return created;
}

async function addColleague(api: TestApi, { accountId }: Member, role: Role = 'viewer'): Promise<string> {
  const { userId } = await newMember(api);
  await join(api, userId, accountId, role);
  return formatId('user', userId);
}

/** Sends a right request, unless `parts` make it a wrong one. */
export function sendRight(
  api: TestApi,
  member: Pick<Member, 'email' | 'tenant'>,
  operation: Operation,
  subject: string,
  { tenant = member.tenant, ...parts }: { tenant?: tenants.Tenant; query?: string; body?: unknown } = {},
): Promise<Reply> {
  const path = operation.path.replace('{name}', subject) as Operation['path'];
  // A live view does not end by itself.
  const method = operation.id === 'liveScans' ? 'HEAD' : operation.method;
  const sent = { ...operation, path, method } as Operation;
  const body = bodyOf(operation, member, subject);
  const headers = operation.testModeOnly && tenant.session ? { 'x-signpost-mode': 'test' } : {};
  return tenants.send(api.call, tenant, { operation: sent, query: '', body, ...parts }, subject, headers);
}
