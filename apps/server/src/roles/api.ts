import { registerAccounts } from '../accounts/feature.ts';
import { listPlans } from '../accounts/plans.ts';
import { addKeyRoutes } from '../accounts/routes.ts';
import { addTenantRoutes } from '../accounts/tenants/routes.ts';
import { createTenants } from '../accounts/tenants/service.ts';
import { registerAnalytics } from '../analytics/feature.ts';
import { registerLive } from '../analytics/live/feature.ts';
import { addAuditRoutes } from '../audit/routes.ts';
import { registerAssets } from '../designs/assets/feature.ts';
import { createCopyDesigns } from '../designs/copy-designs.ts';
import { registerDesigns } from '../designs/feature.ts';
import { registerDomainMails, registerDomains } from '../domains/feature.ts';
import { closeServer } from '../http/connections/close-server.ts';
import { registerDashboardFiles } from '../http/files/dashboard-files.ts';
import { registerSdkPackage } from '../http/files/sdk-package.ts';
import { registerHealth } from '../http/health.ts';
import { registerSecurityTxt } from '../http/pages/security-txt.ts';
import { registerReference } from '../http/reference/reference-routes.ts';
import { openDrawing, registerImages } from '../images/feature.ts';
import { registerLists } from '../moderation/lists/feature.ts';
import { registerReports } from '../moderation/reports/feature.ts';
import { registerSuspensionMails, registerSuspensions } from '../moderation/suspensions/feature.ts';
import { findListedAccount, listAccounts } from '../moderation/suspensions/operator-accounts.ts';
import { registerOperator, registerOperatorAdmin } from '../operator/feature.ts';
import { createScanTotals } from '../operator/scan-totals.ts';
import { ownPools } from '../platform/postgres/pool-sizes.ts';
import { registerMassChangeMails, registerQrCodes } from '../qrcodes/feature.ts';
import { addViewRoutes } from '../qrcodes/listing/views/routes.ts';
import { registerStops } from '../redirect/changes/stops/feature.ts';
import { describeDevice } from '../scans/device/device-label.ts';
import { findAttribution } from '../scans/geoip/attribution.ts';
import { registerShareLinks } from '../share-links/feature.ts';
import { registerUsers } from '../users/feature.ts';
import { registerWebhooks } from '../webhooks/feature.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { openAccountClosing } from './account-closing.ts';
import { type ApiOptions, openApiParts } from './api-parts.ts';
import { watchEngines } from './engines/readiness-checks.ts';
import { openPlaceNames } from './place-names.ts';
import { createSetupCheck } from './setup-check.ts';

export type Api = ReturnType<typeof buildApi>;

/** The API as a list of its features; nothing listens yet. */
export function buildApi(options: ApiOptions) {
  const parts = openApiParts(options);
  const { app, db, engines, config, lifecycle, readiness } = parts;
  const { clickhouse } = parts.store;

  const { accounts, accountsWithin, keyInvalidator, uses } = registerAccounts(parts);
  const suspensions = registerSuspensions(parts, keyInvalidator);
  const assets = registerAssets(parts);
  const drawing = openDrawing(parts);
  const placeNames = openPlaceNames(parts);
  const { styles, designs } = registerDesigns(parts, assets, drawing);
  const { qrcodes, hosts, pauseCodes } = registerQrCodes(parts, {
    styles,
    placeNames,
    hostSuspender: suspensions.byHost,
    dns: createHostResolver({ allows: () => true }, config.webhookDnsServers),
  });
  registerStops(parts);
  registerDomains(parts);
  registerImages(parts, { codes: qrcodes, designs, findLogo: assets.findLogo, drawing });
  const analytics = registerAnalytics(parts, qrcodes);
  registerShareLinks(parts, { codes: qrcodes, analytics, attribution: findAttribution(config) });
  const webhooks = registerWebhooks(parts);
  registerOperator(parts, {
    suspensions: suspensions.forOperators,
    view: suspensions.operatorView,
    reports: registerReports(parts),
    hosts,
    lists: registerLists(parts),
  });
  const countScans = createScanTotals(parts.scans, parts.queries, parts.clock, 7);
  const people = registerUsers(parts, {
    keys: accounts,
    keyInvalidator,
    pauseCodes,
    disableWebhooks: webhooks.disableAll,
    copyDesigns: createCopyDesigns(parts),
    countScans: ids => countScans(ids[0]!, ids),
    closeAccount: openAccountClosing({ ...parts, accounts }),
    ownSuspension: suspensions.ofAccount,
    nameDevice: describeDevice,
    poolSize: ownPools['sign-in'],
  });
  if (people) {
    addKeyRoutes(parts.routes, accounts, people.users);
    addViewRoutes(parts.routes, parts);
    registerLive(parts, { stillOpen: people.users.stillOpen, codes: qrcodes });
    registerSuspensionMails(parts, people.notifications);
    registerMassChangeMails(parts, people.notifications);
    registerDomainMails(parts, people.notifications);
    registerOperatorAdmin(parts, {
      people: people.forOperators,
      confirmPassword: people.users.confirmPassword,
      accounts: { list: listAccounts, find: findListedAccount, setPlan: accounts.setPlan },
      plans: listPlans,
      checkSetup: createSetupCheck({
        ...{ config, clickhouse, clock: parts.clock, placeNames },
        unknownHosts: parts.engines.unknownHosts.list,
      }),
    });
  }
  addTenantRoutes(
    parts.routes,
    createTenants({
      ...parts,
      ...config,
      accountsWithin,
      suspensions: suspensions.forOperators,
      inviteOwner: people?.inviteOwner ?? null,
    }),
  );
  addAuditRoutes(parts.routes);
  registerDashboardFiles(app, config, options.dashboardRoot);
  registerReference(parts, options.referenceRoot);
  registerSdkPackage(app, options.sdkPackage);
  registerSecurityTxt(parts);
  watchEngines(readiness, { postgres: db, clickhouse, ...engines.watched }, ['postgres']);
  registerHealth(parts);

  // Last, and so closed first: what the features work with is there until the last request is answered.
  lifecycle.defer('http', () => closeServer(app.server, () => app.close()));
  return {
    app,
    accounts,
    users: people?.users ?? null,
    uses,
    db,
    idempotency: parts.idempotency,
    readiness,
    metrics: parts.metrics,
    close: () => lifecycle.close(),
  };
}
