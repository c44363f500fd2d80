import { createHash } from 'node:crypto';
import {
  binaryTypes,
  type ErrorExample,
  type EventExample,
  errorTable,
  type OperationExample,
  operations,
} from '@signpost/contract';
import { webhooks } from '@signpost/sdk';
import type { Arrival } from '@signpost/testing/receiver.ts';
import { sign } from '../../../apps/server/src/webhooks/delivery/attempts/signature.ts';
import { startInstallation } from './installation.ts';
import { createRecorder, type Exchange } from './recorder.ts';
import { provokeRefusals } from './refusals.ts';
import { createShown, type Shown } from './shown.ts';
import { type Told, tellStory } from './story.ts';

/** Everything that packages/contract/src/examples.json holds. */
export type Examples = {
  readonly operations: Readonly<Record<string, OperationExample>>;
  readonly errors: readonly ErrorExample[];
  readonly events: Readonly<Record<string, EventExample>>;
};

const receiverUrl = 'https://hooks.harbour-roasters.example';

/** Starts the service, tells the story, and returns what its readers see. */
export async function recordExamples(): Promise<Examples> {
  const installation = await startInstallation();
  try {
    const recorder = createRecorder(installation.server.url);
    const told = await tellStory(installation, recorder);
    await provokeRefusals(installation, recorder, told);
    const shown = createShown({
      steps: recorder.steps,
      replaced: new Map([
        [installation.receiver.url, receiverUrl],
        ...generatedCodes(recorder.examples).map((code, index) => [code, shortCode(index)] as const),
      ]),
    });
    const operationExamples = showOperations(recorder.examples, shown);
    return {
      operations: operationExamples,
      errors: recorder.refusals.map(exchange => showRefusal(exchange, shown)),
      events: await showEvents(told, shown),
    };
  } finally {
    await installation.close();
  }
}

/** Short codes that the service made up. The document has those of the last recording. */
function generatedCodes(exchanges: readonly Exchange[]): readonly string[] {
  const answers = exchanges.filter(({ operation }) => operation !== 'getOpenApi');
  const found = JSON.stringify(answers.map(({ response }) => response)).matchAll(
    /"short_code":"([2-9b-df-hj-km-np-tv-z]{8})"/g,
  );
  return [...new Set([...found].map(match => match[1]!))];
}

/** Of the same length and alphabet. */
function shortCode(index: number): string {
  const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
  const bytes = createHash('sha256').update(`short code ${index}`).digest().subarray(0, 8);
  return Array.from(bytes, byte => alphabet[byte % alphabet.length]).join('');
}

/** In the order of the contract. Several exchanges of one operation differ by the media type of their answers. */
function showOperations(exchanges: readonly Exchange[], shown: Shown): Record<string, OperationExample> {
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation!);
  const all = new Map([...byOperation].map(([id, some]) => [id, showOperation(some, shown)] as const));
  return Object.fromEntries(
    Object.values(operations).map(({ id }) => {
      const example = all.get(id);
      if (!example) throw new Error(`The story does not call ${id}`);
      return [id, example];
    }),
  );
}

function showOperation([first, ...others]: readonly Exchange[], shown: Shown): OperationExample {
  const { operation, status, contentType, response, answeredMs } = first!;
  const isDocument = operation === 'getOpenApi';
  // The bytes of a file say nothing to a reader.
  const text = binaryTypes.has(contentType) ? null : response;
  const body = isDocument ? beginningOf(response) : shown.value(text, answeredMs);
  const request = shown.value(requestOf(first!), answeredMs) as Omit<OperationExample, 'status' | 'response'>;
  const byType = Object.fromEntries(
    others
      .filter(other => !binaryTypes.has(other.contentType))
      .map(other => [other.contentType, shown.value(other.response, other.answeredMs)]),
  );
  return {
    ...request,
    status,
    contentType,
    response: body,
    ...(Object.keys(byType).length > 0 ? { otherResponses: byType } : {}),
  };
}

/** The document cannot hold itself. */
const beginningOf = ({ openapi, info, servers }: Record<string, unknown>) => ({ openapi, info, servers });

const requestOf = ({ params, query, headers, body }: Exchange) => ({
  ...(params ? { params } : {}),
  ...(query ? { query } : {}),
  ...(headers ? { headers } : {}),
  ...(body === undefined ? {} : { body }),
});

function showRefusal(exchange: Exchange, shown: Shown): ErrorExample {
  const response = shown.value(exchange.response, exchange.answeredMs) as ErrorExample['response'];
  if (errorTable[response.error.code].status !== exchange.status)
    throw new Error(`${response.error.code} came with ${exchange.status}`);
  return { operation: exchange.operation, status: exchange.status, response };
}

/** As it came, except for what differs in every run: so it is signed again, by the code that signs. */
async function showEvents({ arrivals, webhook }: Told, shown: Shown): Promise<Record<string, EventExample>> {
  const entries: [string, EventExample][] = [];
  for (const arrival of arrivals) {
    const { event } = await webhooks.verify(arrival.body, headersOf(arrival), webhook.secret);
    const body = shown.text(arrival.body);
    const secret = shown.text(webhook.secret);
    const signed = sign(shown.text(arrival.id), shown.time(arrival.atMs), body, [secretBytes(secret)]);
    entries.push([event, { headers: { ...headersOf(arrival), ...signed }, body, secret }]);
  }
  return Object.fromEntries(entries);
}

const secretBytes = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** Those that a receiver reads. */
const headersOf = ({ headers }: Arrival): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => /^(content-type|user-agent|webhook-|x-signpost-)/.test(name))
      .map(([name, value]) => [name, String(value)]),
  );
