import type { FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { pathOf } from './paths.ts';

/**
 * A suspended account reads, and does only those other things that the contract says. It is refused before anything of the
 * request is looked at, so that no new route can forget to ask.
 */
export function refuseSuspended(request: FastifyRequest, publicUrl: string): void {
  const suspension = request.caller?.suspension;
  if (!suspension || request.is404) return;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead || request.routeOptions.config.whileSuspended === true) return;
  throw new AppError(
    'forbidden',
    `This account is suspended: ${asSentence(suspension.reason)} It can read everything and delete codes. If this is a mistake, sign in at ${publicUrl}/app and appeal.`,
  );
}

/** What operators do is refused to everybody else, whatever they name: they learn nothing about what there is. */
export function refuseNonOperator(request: FastifyRequest): void {
  const path = request.routeOptions?.url ?? pathOf(request.url);
  if (!operatorPaths.test(path) || request.person?.isOperator) return;
  throw new AppError('forbidden', 'Only operators of this service may do this.');
}

/** By path, so that whatever is put there is behind it. */
const operatorPaths = /^\/account\/operator(?:\/|$)/;

const asSentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
