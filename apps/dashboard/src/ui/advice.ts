import { ApiError } from '../api/api-error.ts';
import { commonText } from '../strings/common.ts';

const words = commonText.advice;

/** What to do next, where the message of the server does not say it already. */
export function adviceFor(error: unknown): string {
  if (!(error instanceof ApiError)) return words.reload;
  switch (error.code) {
    case 'quota_exceeded':
      return words.quota;
    case 'plan_required':
      return words.plan;
    case 'rate_limit_exceeded':
      return words.wait(waitOf(error.retryAfterSeconds));
    case 'internal_error':
      return words.fault;
    default:
      return '';
  }
}

const waitOf = (seconds = 60): string =>
  seconds < 50 ? (seconds === 1 ? words.aSecond : words.seconds(seconds)) : words.aMinute;
