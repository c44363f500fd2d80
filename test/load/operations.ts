import { accountOperations, type Operation, operations, operatorPermission } from '@signpost/contract';

type Schema = {
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
};

/** What can make a call heavy, read from the contract. */
export type Weight = 'file' | 'large body' | 'list in the body' | 'list in the answer';

/** Why an operation that could be heavy has no row, by its id. */
const excluded: Readonly<Record<string, string>> = {
  getAnalyticsOfQrCode: 'the same handler as getAnalytics',
  listSessions: 'a few short rows',
  liveScans: 'never ends; each event is one scan',
  getMe: 'a few short rows: the accounts of a person, and at most 100 invitations',
  updateMe: 'the same answer as getMe',
  listOwnAccounts: 'a few short rows',
  listMembers: 'one short row per person, and the free plan has one',
  listInvitations: 'at most 100 short rows',
  createKey: 'at most 20 networks',
  updateKey: 'at most 20 networks',
  listDomains: 'one short row per domain, which only the operator adds',
};

/** Operations without a list or file that change many codes. */
const alsoHeavy = ['updateTag', 'deleteTag', 'createView', 'createPlacement', 'sendTestScans'];

const everyOperation: readonly Operation[] = [
  ...Object.values(operations),
  ...Object.values(accountOperations),
];

/** Operations that draw, export, import, upload, simulate or edit in bulk: each needs a row of its heaviest call. */
export const heavyOperations: ReadonlyMap<string, readonly Weight[]> = new Map(
  everyOperation
    .filter(operation => !(isForOthers(operation) || operation.id in excluded))
    .map(operation => [operation.id, weightsOf(operation)] as const)
    .filter(([id, weights]) => weights.length > 0 || alsoHeavy.includes(id)),
);

/** Not for an account of the free plan: for operators and their keys, for people who are not signed in, or for paid plans. */
function isForOthers({ authScheme, tag, permission }: Operation): boolean {
  if (permission === operatorPermission) return true;
  return (authScheme !== 'apiKey' && authScheme !== 'session') || tag === operations.createWebhook.tag;
}

function weightsOf({ body, bodyLimit, success }: Operation): Weight[] {
  const weights: readonly (readonly [Weight, boolean])[] = [
    ['file', 'files' in success || 'streams' in success],
    ['large body', bodyLimit !== undefined],
    ['list in the body', hasList(body as Schema | undefined)],
    ['list in the answer', 'schema' in success && hasList(success.schema as Schema)],
  ];
  return weights.filter(([, applies]) => applies).map(([weight]) => weight);
}

function hasList(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const { type, items, properties = {}, anyOf = [] } = schema;
  return [type].flat().includes('array') || [items, ...Object.values(properties), ...anyOf].some(hasList);
}
