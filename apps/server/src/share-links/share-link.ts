import { hash, randomBytes } from 'node:crypto';
import type { shareSections } from '@signpost/contract';
import { type Period, type PeriodParams, parsePeriod } from '../analytics/period.ts';
import { timeZoneNamed } from '../analytics/time-zone.ts';
import type { Caller, Mode } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { dayMs } from '../scans/stores/time-range.ts';

export type Section = (typeof shareSections)[number];

/** What is shared: the figures of a code, of a tag, or of all codes where both are null. */
export type Subject = {
  readonly qrCodeId: Uuid | null;
  readonly tag: { readonly id: Uuid; readonly name: string } | null;
};

/** A period that moves on, or one between days. */
export type SharedPeriod = { readonly timezone: string } & (
  | { readonly days: number; readonly startDate: null; readonly endDate: null }
  | { readonly days: null; readonly startDate: string; readonly endDate: string | null }
);

/** A page with figures for everybody who has its link. */
export type ShareLink = Subject & {
  readonly id: Uuid;
  readonly title: string | null;
  readonly sections: readonly Section[];
  readonly period: SharedPeriod;
  readonly expiresAt: Date | null;
  readonly hint: string;
  readonly createdAt: Date;
};

/** Whose links: those of an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** A link whose page may be shown now, with the name of what is shared. */
export type OpenLink = ShareLink & Owner & { readonly name: string };

/** Without letters that are easily misread. Neither `-` nor `_`, which programs cut off at the end of a link. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const tokenLength = 32;

/** 160 random bits. */
export const newToken = (): string =>
  Array.from(randomBytes(tokenLength), byte => alphabet[byte % alphabet.length]).join('');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const toHint = (token: string): string => token.slice(-4);

const sectionsFor = {
  code: ['chart', 'map', 'placements', 'destinations'],
  codes: ['chart', 'map', 'codes'],
} as const satisfies Record<string, readonly Section[]>;

export const defaultSections: readonly Section[] = ['chart', 'map'];

/** Refuses a section that what is shared does not have. */
export function checkSections(sections: readonly Section[], { qrCodeId }: Pick<Subject, 'qrCodeId'>): void {
  const known: readonly Section[] = sectionsFor[qrCodeId === null ? 'codes' : 'code'];
  const unknown = sections.find(section => !known.includes(section));
  if (unknown === undefined) return;
  const what = qrCodeId === null ? 'a tag or the account' : 'one code';
  const message = `The figures of ${what} have no section ${unknown}. Choose from ${known.join(', ')}.`;
  throw new AppError('invalid_request', message, { param: 'sections' });
}

type WantedPeriod = {
  readonly days?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly timezone?: string | undefined;
};

const defaultDays = 30;

export function toSharedPeriod(wanted: WantedPeriod, now: Date): SharedPeriod {
  const { days, start_date: startDate, end_date: endDate, timezone = 'UTC' } = wanted;
  if (days !== undefined && startDate !== undefined)
    throw refuse('days', 'days and start_date exclude each other. Send one of them.');
  if (endDate !== undefined && startDate === undefined)
    throw refuse('end_date', 'end_date needs a start_date. Send both, or days.');
  // Refuses an unknown time zone, a day that does not exist, and an end before the start.
  parsePeriod(wanted, now);
  return startDate === undefined
    ? { timezone, days: days ?? defaultDays, startDate: null, endDate: null }
    : { timezone, days: null, startDate, endDate: endDate ?? null };
}

const refuse = (param: string, message: string) => new AppError('invalid_request', message, { param });

/** The period as the API takes it, and what it means at this moment. */
export function toPeriodParams(period: SharedPeriod, now: Date): PeriodParams {
  const { timezone, days, startDate, endDate } = period;
  if (startDate !== null)
    return { timezone, start_date: startDate, ...(endDate === null ? {} : { end_date: endDate }) };
  const today = timeZoneNamed(timezone)!.toDay(now.getTime());
  const toText = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  return { timezone, start_date: toText(today - (days - 1)), end_date: toText(today) };
}

/** Coarse enough to be read, and fine enough to show a course. */
export function chooseInterval({ days }: Period): 'hour' | 'day' | 'week' | 'month' {
  if (days <= 2) return 'hour';
  if (days <= 100) return 'day';
  return days <= 400 ? 'week' : 'month';
}

export const isTest = ({ mode }: { readonly mode: Mode }) => mode === 'test';
