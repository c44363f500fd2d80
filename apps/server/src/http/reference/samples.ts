import type { operations } from '@signpost/contract';
import type { Signpost } from '@signpost/sdk';
import { type Endpoint, getExample } from './openapi.ts';
import { literal } from './typescript-literal.ts';

/** A sample as renderers of OpenAPI take it, in `x-codeSamples`. */
export type Sample = { readonly lang: string; readonly label: string; readonly source: string };

type MethodName = {
  [Resource in keyof Signpost]: `${Resource}.${keyof Signpost[Resource] & string}`;
}[keyof Signpost];

/** The method of the SDK for each operation. The compiler finds an operation without one, and a method that does not exist. */
const methods: Readonly<Record<keyof typeof operations, MethodName>> = {
  createQrCode: 'qrcodes.create',
  listQrCodes: 'qrcodes.list',
  bulkCreateQrCodes: 'qrcodes.bulkCreate',
  getQrCode: 'qrcodes.get',
  updateQrCode: 'qrcodes.update',
  deleteQrCode: 'qrcodes.delete',
  downloadQrCode: 'qrcodes.download',
  upsertQrCode: 'qrcodes.upsert',
  bulkEditQrCodes: 'qrcodes.bulkEdit',
  bulkDeleteQrCodes: 'qrcodes.bulkDelete',
  testRules: 'qrcodes.testRules',
  sendTestScans: 'qrcodes.sendTestScans',
  createPlacement: 'qrcodes.createPlacement',
  bulkCreatePlacements: 'qrcodes.bulkCreatePlacements',
  updatePlacement: 'qrcodes.updatePlacement',
  deletePlacement: 'qrcodes.deletePlacement',
  listTags: 'tags.list',
  updateTag: 'tags.update',
  deleteTag: 'tags.delete',
  getAnalytics: 'analytics.summary',
  listScans: 'analytics.scans',
  getTimeseries: 'analytics.timeseries',
  getWeekHours: 'analytics.weekHours',
  exportScans: 'analytics.export',
  getAggregateAnalytics: 'analytics.aggregate',
  getAggregateWeekHours: 'analytics.aggregateWeekHours',
  listAccountScans: 'analytics.accountScans',
  exportAccountScans: 'analytics.exportAll',
  // Another path to the same summary.
  getAnalyticsOfQrCode: 'analytics.summary',
  createShareLink: 'shareLinks.create',
  createQrCodeShareLink: 'shareLinks.createForQrCode',
  listShareLinks: 'shareLinks.list',
  revokeShareLink: 'shareLinks.revoke',
  createWebhook: 'webhooks.create',
  listWebhooks: 'webhooks.list',
  getWebhook: 'webhooks.get',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  replayFailedDeliveries: 'webhooks.replayFailed',
  getWebhookDelivery: 'webhooks.getDelivery',
  replayWebhookDelivery: 'webhooks.replayDelivery',
  getAccount: 'account.get',
  listAuditEvents: 'audit.events',
  createTenant: 'accounts.create',
  listTenants: 'accounts.list',
  getTenant: 'accounts.get',
  updateTenant: 'accounts.update',
  createTenantKey: 'accounts.createKey',
  createAsset: 'assets.create',
  listAssets: 'assets.list',
  getAsset: 'assets.get',
  downloadAsset: 'assets.download',
  deleteAsset: 'assets.delete',
  createDesign: 'designs.create',
  listDesigns: 'designs.list',
  getDesign: 'designs.get',
  updateDesign: 'designs.update',
  deleteDesign: 'designs.delete',
  createSheet: 'sheets.create',
  zipImages: 'images.zip',
  listDomains: 'domains.list',
  getOpenApi: 'openapi.get',
};

/** Calls of an operation with the values of its example, in each language. */
export function writeSamples(endpoint: Endpoint, publicUrl: string): readonly Sample[] {
  const call = { ...collectInput(endpoint), endpoint, publicUrl };
  return [
    { lang: 'shell', label: 'curl', source: curl(call) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(call) },
  ];
}

type Input = {
  /** The values of the path, in its order. */
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

type Call = Input & { readonly endpoint: Endpoint; readonly publicUrl: string };

function collectInput({ parameters = [], requestBody }: Endpoint): Input {
  const ids = parameters
    .filter(parameter => parameter.in === 'path')
    .map(parameter => String(getExample(parameter)));
  const query = parameters
    .filter(parameter => parameter.in === 'query')
    .map(parameter => [parameter.name, getExample(parameter)] as const)
    .filter(([, value]) => value !== undefined);
  const body = requestBody && getExample(requestBody.content['application/json'] ?? {});
  return { ids, query: Object.fromEntries(query), body };
}

function curl({ endpoint, publicUrl, ids, query, body }: Call): string {
  const { method, path } = endpoint;
  let next = 0;
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[next++] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const url = `${publicUrl}${filled}${search.size > 0 ? `?${search}` : ''}`;
  const file = chooseFileName(endpoint, query);
  const isDefaultMethod = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isDefaultMethod ? '' : `-X ${method} `}${shellQuoted(url)}`,
    ...(isPublic(endpoint) ? [] : ['-H "Authorization: Bearer $SIGNPOST_KEY"']),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]),
    ...(file ? [`-o ${file}`] : []),
  ].join(' \\\n  ');
}

function typescript({ endpoint, publicUrl, ids, query, body }: Call): string {
  const { operationId, responses, requestBody } = endpoint;
  const input = requestBody ? body : Object.keys(query).length > 0 ? query : undefined;
  const args = [...ids.map(id => literal(id)), ...(input === undefined ? [] : [literal(input)])].join(', ');
  const call = `signpost.${methods[operationId as keyof typeof methods]}(${args})`;
  const file = chooseFileName(endpoint, query);
  const answer = file ? 'response' : chooseVariableName(responses);
  return [
    ...(file ? [`import { writeFile } from 'node:fs/promises';`] : []),
    `import { Signpost } from '@signpost/sdk';`,
    '',
    'const signpost = new Signpost({',
    '  apiKey: process.env.SIGNPOST_KEY!,',
    `  baseUrl: ${literal(publicUrl)},`,
    '});',
    '',
    `const ${answer} = await ${call};`,
    file ? `await writeFile('${file}', await response.bytes());` : `console.log(${answer});`,
  ].join('\n');
}

const isPublic = ({ security }: Endpoint) => security?.length === 0;

const files: Readonly<Record<string, readonly [name: string, format: string]>> = {
  'image/png': ['code', 'png'],
  'text/csv': ['scans', 'csv'],
};

/** The name for what an operation answers, if that is a file. */
function chooseFileName({ responses }: Endpoint, { format }: Input['query']): string | undefined {
  const types = Object.keys(responses['200']?.content ?? {});
  const [name, usual] = types.map(type => files[type]).find(file => file !== undefined) ?? [];
  return name && `${name}.${format ?? usual}`;
}

/** After the schema of the answer: `qrCode`, `webhookList`. */
function chooseVariableName(responses: Endpoint['responses']): string {
  const success = responses['200'] ?? responses['201'];
  const schema = success?.content?.['application/json']?.schema?.$ref?.split('/').at(-1);
  return schema ? schema.charAt(0).toLowerCase() + schema.slice(1) : 'answer';
}

function shellQuoted(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
