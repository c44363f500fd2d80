import type { FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/errors.ts';

/**
 * A suspended account may read, and do only what the contract allows besides. It is refused before the request is
 * looked at any further, so that no new route can forget to check.
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

/** Everybody else is refused whatever the path names, and learns nothing about what exists. */
export function refuseNonOperator(request: FastifyRequest): void {
  if (!request.person?.isOperator)
    throw new AppError('forbidden', 'Only operators of this service may do this.');
}

const asSentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
