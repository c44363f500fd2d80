import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in this order. A long one that starts last would keep one core busy while the others wait. */
const longest = [
  'test/analytics/model.it.ts',
  'test/isolation.it.ts',
  'ingest/ingest.it.ts',
  'doctor/doctor.it.ts',
  'test/pool.it.ts',
  'users/accounts-lifecycle-operator.it.ts',
  'test/e2e/dashboard-pages.e2e.ts',
  'test/e2e/reference.e2e.ts',
  'test/e2e/full-disk.e2e.ts',
  'test/e2e/size.e2e.ts',
  'test/e2e/faults.e2e.ts',
  'test/e2e/report.e2e.ts',
  'test/e2e/dashboard-session.e2e.ts',
  'test/e2e/rules.e2e.ts',
  'test/operations/backup.e2e.ts',
  'test/e2e/dashboard-codes.e2e.ts',
  'test/e2e/readme.e2e.ts',
  'test/e2e/dashboard-overlays.e2e.ts',
  'test/e2e/dashboard-abuse.e2e.ts',
  'test/e2e/dashboard-journey.e2e.ts',
  'test/deploy/image.e2e.ts',
  'test/e2e/dashboard-matrix.e2e.ts',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(name => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
