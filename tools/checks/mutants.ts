import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { groups } from './mutants/groups.ts';
import { isReached, lineOf, type Report, type Score, scoreOf } from './mutants/score.ts';

/** Mutates the code of a group, one mutant at a time, in a copy of the tree, and runs its tests. */
async function reportOf(name: string): Promise<Report> {
  const fileName = `.reports/mutants/${name}.json`;
  process.env.MUTANTS_GROUP = name;
  const configFile = 'tools/checks/mutants/stryker.config.json';
  await new Stryker({
    configFile,
    mutate: [...groups[name]!.files],
    jsonReporter: { fileName },
  }).runMutationTest();
  return JSON.parse(readFileSync(fileName, 'utf8')) as Report;
}

/** `npm run mutants`, or `npm run mutants -- guard keys` for some of the groups. */
if (import.meta.main) {
  process.chdir(resolve(import.meta.dirname, '../..'));
  const all = Object.keys(groups);
  const asked = process.argv.length > 2 ? process.argv.slice(2) : all;
  const unknown = asked.find(name => !all.includes(name));
  if (unknown)
    throw new Error(`There is no group ${unknown}. Name some of ${all.join(', ')}, or none to run all.`);
  const scores: Score[] = [];
  for (const name of asked) {
    const start = performance.now();
    const score = scoreOf(await reportOf(name));
    scores.push({ group: name, score, aim: groups[name]!.aim });
    console.log(`${name}: ${score}, after ${((performance.now() - start) / 1000).toFixed()} s\n`);
  }
  console.log(lineOf(scores));
  process.exitCode = scores.every(isReached) ? 0 : 1;
}
