import { dropOldTestDatabases } from './database.ts';

/** Before the integration tests: away with what earlier runs left. */
export default () => dropOldTestDatabases();
