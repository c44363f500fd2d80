import type { Config } from '../config/config.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { describeError, type Finding, problem, warning } from '../doctor/finding.ts';
import { formatReport } from '../doctor/report.ts';
import type { Print } from '../kernel/print.ts';
import { settingsBeside } from '../roles/engines/ignored-engines.ts';

/** Runs every check, prints the findings, and returns whether there is no problem. It changes nothing. */
export async function runDoctor(
  args: readonly string[],
  readConfig: () => Config,
  print: Print,
  typos: readonly Typo[] = [],
): Promise<boolean> {
  const findings = [...(await findingsBy(readConfig)), ...typos.map(typoFinding)];
  print(args.includes('--json') ? JSON.stringify(findings, null, 2) : formatReport(findings));
  return findings.every(finding => finding.state !== 'problem');
}

type Typo = { readonly given: string; readonly meant: string };

const typoFinding = ({ given, meant }: Typo): Finding => ({
  check: 'settings',
  ...warning(
    `${given} is set, which is not a setting; ${meant} is not set`,
    `If you meant ${meant}, rename it.`,
  ),
});

async function findingsBy(readConfig: () => Config): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [
      {
        check: 'settings',
        ...problem(describeError(error), 'Set them, then run this again: the other checks need them.'),
      },
    ];
  }
  return await diagnose(await settingsBeside(config));
}
