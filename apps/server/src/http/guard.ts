import type { FastifyRequest } from 'fastify';
import type { Caller, Person } from '../kernel/caller.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Verdict } from '../kernel/sliding-windows.ts';

/** Decides who may come in: looks at the key and counts the call. */
export type Guard = {
  admit(authorization: string | undefined, address: string): Promise<Admission>;
  /** For what needs no key: counts by address alone. */
  admitAnybody(address: string): Admission;
};

/** The same for people, by the session in their cookie, on the paths of the dashboard. */
export type SessionGuard = {
  admit(request: FastifyRequest, address: string, isPublic: boolean): Promise<Admission>;
};

/** The verdict is there for every answer, so that every answer can carry its headers. */
export type Admission = { readonly cookies?: readonly string[] } & Verdicts;

type Verdicts =
  | {
      readonly verdict: Verdict;
      readonly caller: Caller | null;
      readonly person?: Person;
      readonly refusal?: undefined;
    }
  | { readonly verdict: Verdict; readonly caller?: undefined; readonly refusal: AppError };
