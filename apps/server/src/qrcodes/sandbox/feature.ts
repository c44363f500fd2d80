import { operations, type SendTestScans, type SentTestScans } from '@signpost/contract';
import type { Config } from '../../config/config.ts';
import type { Call, Routes } from '../../http/routes.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Ids, parseId, type Uuid } from '../../kernel/ids.ts';
import type { CreationLimiter } from '../../limits/creation-limiter.ts';
import type { Limiters } from '../../limits/limiters.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type DirectAppend, NotAppended } from '../../scans/log/direct-append.ts';
import type { Scan } from '../../scans/scan.ts';
import { getAvailability } from '../availability.ts';
import type { QrCodes } from '../service.ts';
import { reserveScans } from './daily-scans.ts';
import { createScans, deriveBatchId } from './sandbox-scans.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Pick<Config, 'visitorWindow'>;
  readonly limiters: Pick<Limiters, 'creations'>;
  readonly metrics: Pick<Metrics, 'limitedByProcess'>;
  readonly clock: Clock;
  readonly ids: Ids;
};

type Sources = { readonly codes: Pick<QrCodes, 'get'>; readonly append: DirectAppend };

const dayMs = 24 * 60 * 60_000;

/** Scans for developers, in test mode: they take the way of real ones from the log on. */
export function registerSandbox(parts: Parts, { codes, append }: Sources): void {
  const { routes, config, limiters, metrics, clock, ids } = parts;
  const limiter = limiters.creations({
    kind: 'test-scans',
    windowMs: dayMs,
    onAlone: () => metrics.limitedByProcess.inc(),
  });
  const record = createRecord({ append, limiter, clock });
  const making = { ids, clock, windowKind: config.visitorWindow };

  routes.add(
    operations.sendTestScans,
    async ({ noteEvent }, answer: SentTestScans) => {
      noteEvent({ nothing: answer.scans === 0, subjects: [answer.qr_id] });
      return answer;
    },
    {
      // The log is no part of the transaction that the handler may run in.
      async prepare(call): Promise<SentTestScans> {
        const { db, caller, body } = call;
        const code = await codes.get(db, caller, parseId('qr', body.qr_id));
        const { state } = getAvailability(code, caller, clock.now());
        if (state !== 'live') throw notServed(state);
        const scans = createScans(making, caller, code, body);
        const at = new Date(scans[0]!.atMs).toISOString();
        const qr_id = formatId('qr', code.id);
        if (body.automated) return { qr_id, scans: 0, visitors: 0, at };
        await record(db, caller, { id: chooseBatchId(call, ids, clock), scans });
        return { qr_id, scans: scans.length, visitors: body.unique ?? scans.length, at };
      },
    },
  );
}

type RecordParts = {
  readonly append: DirectAppend;
  readonly limiter: CreationLimiter;
  readonly clock: Clock;
};

/** Appends the batch, within the account's day. */
function createRecord({ append, limiter, clock }: RecordParts) {
  return async (
    db: Database,
    caller: Caller,
    batch: { readonly id: Uuid; readonly scans: readonly Scan[] },
  ) => {
    const reserved = await reserveScans({ limiter, clock }, caller, batch.scans.length);
    await append(db, batch).catch(async (cause: unknown) => {
      await reserved.release();
      if (!(cause instanceof NotAppended)) throw cause;
      throw new AppError(
        'unavailable',
        'The scan log did not acknowledge these scans. Send them again with the same Idempotency-Key.',
        { cause, retryAfterSeconds: 2 },
      );
    });
  };
}

function chooseBatchId(
  { caller, body, raw }: Pick<Call<typeof operations.sendTestScans>, 'caller' | 'body' | 'raw'>,
  ids: Ids,
  clock: Clock,
): Uuid {
  const key = raw.request.headers['idempotency-key'];
  return key === undefined
    ? ids.next()
    : deriveBatchId(caller, String(key), body as SendTestScans, clock.now());
}

const notServed = (state: string) =>
  new AppError(
    'invalid_transition',
    `A scan of this code would not count: ${reasons[state] ?? state}. Change that first.`,
  );

const reasons: Readonly<Record<string, string>> = {
  suspended: 'it is suspended',
  held: 'the e-mail address of the account is not confirmed',
  off: 'it is paused or a draft',
  scheduled: 'its time has not begun',
  ended: 'its time has ended',
  used_up: 'it has reached its limit of scans',
};
