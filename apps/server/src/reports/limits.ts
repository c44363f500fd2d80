import { AppError } from '../kernel/errors.ts';
import type { AttemptLimit, Attempts } from '../limits/attempts.ts';

/** How much may be reported, over all processes. Addresses are known to Redis only by a keyed hash. */
export type ReportLimits = {
  /** Null where the link may be looked up: the page must not be good for finding out which codes there are. */
  takeLookUp(block: string): Promise<Limited | null>;
  takeReport(block: string): Promise<Limited | null>;
};

export type Limited = { readonly refusal: 'limited' | 'full'; readonly retryAfterSeconds: number };

export const reportsPerHour = 5;
/** From a network that one subscriber can have whole: an IPv6 /48, or an IPv4 /24. */
export const reportsPerNetworkDay = 50;
export const reportsPerDay = 500;
/** Whoever mistypes a link may try again; this many reports are never sent by hand. */
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

/** So that nobody with a large network of their own uses up what everybody has in a day. */
const fromNetwork = (block: string): AttemptLimit => ({
  what: 'report-from-network',
  subject: networkOf(block),
  limit: reportsPerNetworkDay,
  windowMs: 24 * hourMs,
});

/** Of an IPv6 /64, as `addressBlock` writes it, its /48; of an IPv4 address its /24. */
export const networkOf = (block: string): string =>
  block.includes(':') ? `${block.split(':').slice(0, 3).join(':')}::/48` : block.replace(/\.\d+$/, '.0/24');

const inAll: AttemptLimit = {
  what: 'report',
  subject: 'all',
  limit: reportsPerDay,
  windowMs: 24 * hourMs,
};

export function createReportLimits(attempts: Attempts): ReportLimits {
  return {
    takeLookUp: async block => limitedBy('limited', await tryTo(attempts.take(lookUps(block)))),
    async takeReport(block) {
      const mine = await tryTo(attempts.take(fromBlock(block), fromNetwork(block)));
      if (mine instanceof AppError) return limitedBy('limited', mine);
      const all = await tryTo(attempts.take(inAll));
      // What nobody takes counts against nobody.
      if (all instanceof AppError) await mine();
      return limitedBy('full', all);
    },
  };
}

type Place = () => Promise<void>;

/** A place, or the refusal of one. Redis that does not answer is a fault. */
async function tryTo(taking: Promise<Place>): Promise<Place | AppError> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return error;
    throw error;
  }
}

const limitedBy = (refusal: Limited['refusal'], taken: Place | AppError): Limited | null =>
  taken instanceof AppError ? { refusal, retryAfterSeconds: taken.details.retryAfterSeconds ?? 60 } : null;
