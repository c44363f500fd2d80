import type { Accounts } from '../../accounts/service.ts';
import type { Print } from '../../kernel/print.ts';
import type { AdminEngines } from '../../roles/links.ts';

/** What every `signpost admin` command works on. */
export type AdminContext = {
  readonly accounts: Accounts;
  readonly engines: AdminEngines;
  readonly print: Print;
};

/** The arguments are those after the name of the command. */
export type AdminCommand = (args: readonly string[], context: AdminContext) => Promise<void>;
