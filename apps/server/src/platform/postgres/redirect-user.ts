import { readFile } from 'node:fs/promises';
import pg from 'pg';

const grants = new URL('../../../migrations/redirect-user.sql', import.meta.url);

/** The only name that the grants know. */
const redirectUser = 'signpost_redirect';

/** Creates the database user of redirects, or gives it the password in its address and what this version reads. */
export async function grantRedirectUser(databaseUrl: string, redirectUrl: string): Promise<string> {
  const { username, password } = new URL(redirectUrl);
  if (decodeURIComponent(username) !== redirectUser)
    throw new Error(`REDIRECT_DATABASE_URL must name the user ${redirectUser}, not ${username || 'none'}.`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(await readFile(grants, 'utf8'));
    if (password !== '') {
      const literal = client.escapeLiteral(decodeURIComponent(password));
      await client.query(`alter role ${redirectUser} password ${literal}`);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
  return redirectUser;
}
