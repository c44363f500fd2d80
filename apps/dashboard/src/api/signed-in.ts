/**
 * A note to this browser that somebody is signed in, so that a stranger is led to the sign-in without first asking the
 * server and being refused. It opens nothing: what counts is the cookie, which no script can read.
 */
const key = 'signpost-signed-in';

export const seemsSignedIn = (): boolean => localStorage.getItem(key) === 'yes';

export function noteSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(key, 'yes');
  else localStorage.removeItem(key);
}
