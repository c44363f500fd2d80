import type { Message } from '../webhook.ts';
import type { Reservation } from './rates/rate-reservation.ts';

/** A message that is to be attempted by this process. */
export type Job = {
  readonly message: Message;
  readonly source: JobSource;
  /** Attempts before this one: since the event or its last replay, which begins the schedule again; and in all. */
  readonly roundAttempts: number;
  readonly attempts: number;
  /** After this time (`performance.now`) another process may take the message. */
  readonly leaseEndsMs: number;
  /** Null until the host's rate limiter has given it a time. */
  readonly reservation: Reservation | null;
  ack(): void;
};

/** New events come from the queue; retries, replays and deferred messages from PostgreSQL. */
export type JobSource = 'queue' | 'postgres';
