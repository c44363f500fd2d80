import type { ApiDocument, FuzzOperation } from '@signpost/testing/openapi/document.ts';
import type { Answer, Wire } from '@signpost/testing/raw-http.ts';
import fc from 'fast-check';
import { type Case, casesOf, isPerson, toRequest } from './cases.ts';
import { echoFault, type Fault, faultOf, roleFault } from './check.ts';
import type { Ids } from './ids.ts';
import { type Request, toBytes } from './request.ts';
import type { Target } from './target.ts';

/** A request with a wrong response, shrunk as far as possible. */
export type Failure = {
  readonly fault: Fault;
  readonly operation: FuzzOperation;
  readonly notes: readonly string[];
  readonly who: string;
  readonly request: Request;
};

/** The results of a run so far; several lanes add to them. */
export type Tally = {
  requests: number;
  serverErrors: number;
  schemaBreaks: number;
  readonly failures: Map<string, Failure>;
  readonly statuses: Map<number, number>;
};

export type Lane = {
  readonly document: ApiDocument;
  readonly target: Target;
  readonly wire: Wire;
  readonly ids: Ids;
  readonly tally: Tally;
};

/** The maximum number of shrinking steps for a failing request. */
const maxShrinks = 150;

/** Sends `count` requests to one operation. A new kind of failure ends the batch after it has been shrunk. */
export async function runBatch(lane: Lane, operation: FuzzOperation, seed: number, count: number) {
  const { tally } = lane;
  let found: string | null = null;
  const cases = fc.limitShrink(casesOf(operation, lane.document), maxShrinks);
  const property = fc.asyncProperty(cases, async one => {
    const failure = await attempt(lane, one);
    if (!failure) return true;
    const name = `${operation.id} ${failure.fault.kind} ${failure.fault.what.replace(/[\d_a-z]{20,}/g, '…').slice(0, 60)}`;
    if (found === null) {
      if (failure.fault.kind === 'server_error') tally.serverErrors++;
      else tally.schemaBreaks++;
      if (tally.failures.has(name)) return true;
      found = name;
    }
    // While one failure is being shrunk, others are ignored.
    if (found === name) tally.failures.set(name, failure);
    return found !== name;
  });
  await fc.check(property, { seed, numRuns: count });
}

async function attempt({ document, target, wire, ids, tally }: Lane, one: Case): Promise<Failure | null> {
  const credentials = one.who === 'nobody' ? [] : target.credentials[one.who];
  const request = toRequest(one, choice => ids.choose(one.who, choice), credentials);
  const checked = { ...request, target: request.target.replace(/^\/account(?=\/v1\/)/, '') };
  const answer = await wire.ask({
    method: request.method,
    bytes: one.trick ? one.trick.write(request) : toBytes(request),
    apart: one.astray,
    hangUp: one.trick?.hangUp === true,
  });
  tally.requests++;
  const status = typeof answer === 'string' ? 0 : answer.status;
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  const fault =
    faultOf({ request: checked, answer, astray: one.astray }, document) ??
    roleFault(one, checked, answer as Answer, document) ??
    (await madeFault(one, checked, answer as Answer));
  return fault && { fault, operation: one.operation, notes: one.notes, who: one.who, request };

  /** Collects ids, and reads back what was created. */
  async function madeFault(one: Case, request: Request, answer: Answer): Promise<Fault | null> {
    const operation = document.find(request.method, request.target);
    if (!operation || answer.status >= 300 || !answer.headers['content-type']?.startsWith('application/json'))
      return null;
    if (request.method === 'HEAD') return null;
    const body = JSON.parse(answer.body.toString('utf8'));
    const reader = `${operation.path}/${body.id}`;
    if (answer.status !== 201 || !document.find('GET', reader) || one.trick) {
      ids.learn(one.who, operation, body);
      return null;
    }
    const again = toBytes({
      method: 'GET',
      target: isPerson(one.who) ? `/account${reader}` : reader,
      headers: credentials,
      body: null,
    });
    tally.requests++;
    const read = await wire.ask({ method: 'GET', bytes: again, apart: false, hangUp: false });
    // Only now may other lanes use it: one of them could have changed it before it was read.
    ids.learn(one.who, operation, body);
    // The caller with the small plan may have exhausted its rate limit.
    if (typeof read !== 'string' && read.status === 429 && one.who === 'scarce') return null;
    return echoFault(request, answer, read);
  }
}
