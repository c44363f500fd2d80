import { AppError } from '../../kernel/errors.ts';
import type { AttemptLimit, Attempts } from '../../limits/attempts.ts';

/** Limits on reports across all processes. Redis has only keyed hashes of addresses. */
export type ReportLimits = {
  /** Null if the link may be looked up. Limited, because the page would otherwise reveal which codes exist. */
  takeLookUp(block: string): Promise<Limited | null>;
  takeReport(block: string): Promise<Limited | null>;
};

type Limited = { readonly refusal: 'limited' | 'full'; readonly retryAfterSeconds: number };

const reportsPerHour = 5;
/** From one IPv6 /48 or IPv4 /24, which a single subscriber can own. */
const reportsPerNetworkDay = 50;
const reportsPerDay = 500;
/** Enough to correct a mistyped link; more than anyone sends by hand. */
const lookUpsPerHour = 30;

const hourMs = 60 * 60_000;

const lookUps = (block: string): AttemptLimit => ({
  what: 'report-look-up',
  subject: block,
  limit: lookUpsPerHour,
  windowMs: hourMs,
});

const fromBlock = (block: string): AttemptLimit => ({
  what: 'report-from',
  subject: block,
  limit: reportsPerHour,
  windowMs: hourMs,
});

/** Keeps the owner of a large network from exhausting the daily limit of all. */
const fromNetwork = (block: string): AttemptLimit => ({
  what: 'report-from-network',
  subject: toNetwork(block),
  limit: reportsPerNetworkDay,
  windowMs: 24 * hourMs,
});

/** The /48 of an IPv6 /64, as `addressBlock` writes it, or the /24 of an IPv4 address. */
export const toNetwork = (block: string): string =>
  block.includes(':') ? `${block.split(':').slice(0, 3).join(':')}::/48` : block.replace(/\.\d+$/, '.0/24');

const overall: AttemptLimit = {
  what: 'report',
  subject: 'all',
  limit: reportsPerDay,
  windowMs: 24 * hourMs,
};

export function createReportLimits(attempts: Attempts): ReportLimits {
  return {
    takeLookUp: async block => limitedBy('limited', await orRefusal(attempts.take(lookUps(block)))),
    async takeReport(block) {
      const own = await orRefusal(attempts.take(fromBlock(block), fromNetwork(block)));
      if (own instanceof AppError) return limitedBy('limited', own);
      const all = await orRefusal(attempts.take(overall));
      // A report that is not accepted does not count against its network.
      if (all instanceof AppError) await own();
      return limitedBy('full', all);
    },
  };
}

type Refund = () => Promise<void>;

/** Returns the refund of an attempt, or the refusal. Other errors, such as from Redis, are thrown. */
async function orRefusal(taking: Promise<Refund>): Promise<Refund | AppError> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return error;
    throw error;
  }
}

const limitedBy = (refusal: Limited['refusal'], taken: Refund | AppError): Limited | null =>
  taken instanceof AppError ? { refusal, retryAfterSeconds: taken.details.retryAfterSeconds ?? 60 } : null;
