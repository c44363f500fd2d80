import { isApiError } from '../api/request.ts';

/** What to do next, where the message of the server does not say it already. */
export function adviceFor(error: unknown): string {
  if (!isApiError(error)) return 'Reload the page. If it happens again, tell the operator what you did.';
  switch (error.code) {
    case 'quota_exceeded':
      return 'Delete a code that you no longer need, or ask the operator for a larger plan.';
    case 'plan_required':
      return 'Ask the operator for a plan that includes this.';
    case 'rate_limit_exceeded':
      return `Wait ${waitOf(error.retryAfterSeconds)}, then try again.`;
    case 'internal_error':
    case 'unavailable':
    case 'timeout':
      return 'Nothing was lost; try again in a moment. If it stays, give the operator the number of the request.';
    default:
      return '';
  }
}

const waitOf = (seconds = 60): string =>
  seconds < 50 ? (seconds === 1 ? 'a second' : `${seconds} seconds`) : 'a minute';
