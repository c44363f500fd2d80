import type { RolePermission } from '@signpost/contract';
import type { FetchQueryOptions } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { followLanguage } from './api/chosen-language.ts';
import { currentMode } from './api/mode.ts';
import { queryClient } from './api/query-client.ts';
import { isApiError } from './api/request.ts';
import { noteSignedIn, seemsSignedIn } from './api/signed-in.ts';
import { parseAnalyticsSearch, parseCodeAnalyticsSearch } from './features/analytics/search.ts';
import { parseCodesSearch, parseNewCodeSearch } from './features/codes/codes-search.ts';
import { codeQuery, codesQuery } from './features/codes/queries.ts';
import { designsQuery } from './features/designs/queries.ts';
import { parseNewDesignSearch } from './features/designs/search.ts';
import { domainsQuery } from './features/domains/queries.ts';
import {
  parseAccountsSearch,
  parseLookUpSearch,
  parsePageSearch,
  parsePeopleSearch,
  parseReportsSearch,
  parseSuspensionsSearch,
} from './features/operator/search.ts';
import { invitationsQuery, membersQuery } from './features/people/queries.ts';
import { parsePrintSearch } from './features/print/search.ts';
import { keysQuery } from './features/settings/queries.ts';
import { meQuery } from './features/shell/me.ts';
import { NotFound } from './features/shell/not-found.tsx';
import { PageProblem, WholePageProblem } from './features/shell/page-problem.tsx';
import { PageWait } from './features/shell/page-wait.tsx';
import { Shell } from './features/shell/shell.tsx';
import { ShellWait } from './features/shell/shell-wait.tsx';
import { SignInFrame } from './features/sign-in/frame.tsx';
import { isEmptyInstallation } from './features/sign-in/options.ts';
import { tagsQuery } from './features/tags/queries.ts';
import { webhooksQuery } from './features/webhooks/queries.ts';
import { lazyPage } from './ui/lazy-page.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

// Loaders ask for what a page shows while its script is still loading, and wait for nothing: the page itself waits for the
// answer, and says what is wrong with it. Nothing is asked for that this person may not see.
function prefetch<Data, Key extends readonly unknown[]>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
  needs: RolePermission,
): void {
  const account = queryClient.getQueryData(meQuery.queryKey)?.account;
  if (account?.permissions.includes(needs)) void queryClient.prefetchQuery(query);
}

/** Pages for who is not signed in. */
const outside = createRoute({ getParentRoute: () => root, id: 'outside', component: SignInFrame });

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const signIn = createRoute({
  getParentRoute: () => outside,
  path: 'sign-in',
  validateSearch: (search): { next?: string } => {
    const next = text(search.next);
    // Only a path of our own: anything else could lead a person who has just signed in elsewhere.
    return next?.startsWith('/') && !next.startsWith('//') ? { next } : {};
  },
  component: lazyPage(() => import('./features/sign-in/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => outside,
  path: 'sign-up',
  component: lazyPage(() => import('./features/sign-in/sign-up.tsx'), 'SignUp'),
});
const firstOperator = createRoute({
  getParentRoute: () => outside,
  path: 'first-operator',
  component: lazyPage(() => import('./features/sign-in/first-operator.tsx'), 'FirstOperator'),
});
const forgot = createRoute({
  getParentRoute: () => outside,
  path: 'forgot-password',
  component: lazyPage(() => import('./features/sign-in/forgot-password.tsx'), 'ForgotPassword'),
});
const reset = createRoute({
  getParentRoute: () => outside,
  path: 'reset-password',
  component: lazyPage(() => import('./features/sign-in/reset-password.tsx'), 'ResetPassword'),
});
const verify = createRoute({
  getParentRoute: () => outside,
  path: 'verify-email',
  component: lazyPage(() => import('./features/sign-in/verify-email.tsx'), 'VerifyEmail'),
});

const confirmNewEmail = createRoute({
  getParentRoute: () => outside,
  path: 'confirm-email',
  component: lazyPage(() => import('./features/settings/confirm-new-email.tsx'), 'ConfirmNewEmail'),
});

const invitation = createRoute({
  getParentRoute: () => outside,
  path: 'invitation',
  component: lazyPage(() => import('./features/invitation/invitation-page.tsx'), 'InvitationPage'),
});

/** Everything behind the sign-in; who has no session is sent there, and comes back to where they were going. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  pendingComponent: ShellWait,
  // At once: the frame of the first paint goes with the first drawing.
  pendingMs: 0,
  errorComponent: WholePageProblem,
  beforeLoad: async ({ location }) => {
    const isHome = location.pathname === '/';
    const toSignIn = () => redirect({ to: '/sign-in', search: isHome ? {} : { next: location.href } });
    if (!seemsSignedIn())
      throw isHome && (await isEmptyInstallation()) ? redirect({ to: '/first-operator' }) : toSignIn();
    try {
      const me = await queryClient.ensureQueryData(meQuery);
      // Nothing is drawn in a language that goes at once.
      if (followLanguage(me.language)) await new Promise<never>(() => {});
    } catch (error) {
      if (!isApiError(error) || error.status !== 401) throw error;
      noteSignedIn(false);
      throw toSignIn();
    }
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/codes' });
  },
});
const codes = createRoute({
  getParentRoute: () => inside,
  path: 'codes',
  validateSearch: parseCodesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(codesQuery(currentMode(), deps), 'qrcodes:read'),
  component: lazyPage(() => import('./features/codes/codes-page.tsx'), 'CodesPage'),
});
const newCode = createRoute({
  getParentRoute: () => inside,
  path: 'codes/new',
  validateSearch: parseNewCodeSearch,
  loader: () => prefetch(designsQuery(currentMode()), 'designs:read'),
  component: lazyPage(() => import('./features/codes/new-code-page.tsx'), 'NewCodePage'),
});
const importCodes = createRoute({
  getParentRoute: () => inside,
  path: 'codes/import',
  component: lazyPage(() => import('./features/import/import-page.tsx'), 'ImportPage'),
});
const tags = createRoute({
  getParentRoute: () => inside,
  path: 'tags',
  loader: () => prefetch(tagsQuery(currentMode()), 'qrcodes:read'),
  component: lazyPage(() => import('./features/tags/tags-page.tsx'), 'TagsPage'),
});
const code = createRoute({
  getParentRoute: () => inside,
  path: 'codes/$id',
  loader: ({ params }) => prefetch(codeQuery(currentMode(), params.id), 'qrcodes:read'),
  component: lazyPage(() => import('./features/codes/code-page.tsx'), 'CodePage'),
});
const codeOverview = createRoute({
  getParentRoute: () => code,
  path: '/',
  component: lazyPage(() => import('./features/codes/code-overview.tsx'), 'CodeOverview'),
});
const codeAnalytics = createRoute({
  getParentRoute: () => code,
  path: 'analytics',
  validateSearch: parseCodeAnalyticsSearch,
  component: lazyPage(() => import('./features/analytics/code-analytics.tsx'), 'CodeAnalytics'),
});
const codeRules = createRoute({
  getParentRoute: () => code,
  path: 'rules',
  component: lazyPage(() => import('./features/rules/code-rules.tsx'), 'CodeRules'),
});
const codePlacements = createRoute({
  getParentRoute: () => code,
  path: 'placements',
  component: lazyPage(() => import('./features/placements/code-placements.tsx'), 'CodePlacements'),
});
const codeHistory = createRoute({
  getParentRoute: () => code,
  path: 'history',
  component: lazyPage(() => import('./features/codes/code-history.tsx'), 'CodeHistory'),
});
const designs = createRoute({
  getParentRoute: () => inside,
  path: 'designs',
  loader: () => prefetch(designsQuery(currentMode()), 'designs:read'),
  component: lazyPage(() => import('./features/designs/designs-page.tsx'), 'DesignsPage'),
});
const newDesign = createRoute({
  getParentRoute: () => inside,
  path: 'designs/new',
  validateSearch: parseNewDesignSearch,
  loader: () => prefetch(designsQuery(currentMode()), 'designs:read'),
  component: lazyPage(() => import('./features/designs/design-page.tsx'), 'NewDesignPage'),
});
const design = createRoute({
  getParentRoute: () => inside,
  path: 'designs/$id',
  loader: () => prefetch(designsQuery(currentMode()), 'designs:read'),
  component: lazyPage(() => import('./features/designs/design-page.tsx'), 'DesignPage'),
});
const print = createRoute({
  getParentRoute: () => inside,
  path: 'print',
  validateSearch: parsePrintSearch,
  component: lazyPage(() => import('./features/print/print-page.tsx'), 'PrintPage'),
});
const analytics = createRoute({
  getParentRoute: () => inside,
  path: 'analytics',
  validateSearch: parseAnalyticsSearch,
  component: lazyPage(() => import('./features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});
const keys = createRoute({
  getParentRoute: () => inside,
  path: 'settings/keys',
  loader: () => prefetch(keysQuery, 'account:manage'),
  component: lazyPage(() => import('./features/settings/keys-page.tsx'), 'KeysPage'),
});
const activity = createRoute({
  getParentRoute: () => inside,
  path: 'settings/activity',
  component: lazyPage(() => import('./features/activity/activity-page.tsx'), 'ActivityPage'),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: 'settings/webhooks',
  loader: () => prefetch(webhooksQuery(currentMode()), 'webhooks:read'),
  component: lazyPage(() => import('./features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => inside,
  path: 'settings/webhooks/$id',
  component: lazyPage(() => import('./features/webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const plan = createRoute({
  getParentRoute: () => inside,
  path: 'settings/plan',
  component: lazyPage(() => import('./features/settings/plan-page.tsx'), 'PlanPage'),
});
const general = createRoute({
  getParentRoute: () => inside,
  path: 'settings/general',
  component: lazyPage(() => import('./features/accounts/general-page.tsx'), 'GeneralPage'),
});
const domains = createRoute({
  getParentRoute: () => inside,
  path: 'settings/domains',
  loader: () => prefetch(domainsQuery, 'domains:read'),
  component: lazyPage(() => import('./features/domains/domains-page.tsx'), 'DomainsPage'),
});
const people = createRoute({
  getParentRoute: () => inside,
  path: 'settings/people',
  loader: () => {
    prefetch(membersQuery, 'account:manage');
    prefetch(invitationsQuery, 'account:manage');
  },
  component: lazyPage(() => import('./features/people/people-page.tsx'), 'PeoplePage'),
});
const accountPage = createRoute({
  getParentRoute: () => inside,
  path: 'settings/account',
  component: lazyPage(() => import('./features/settings/account-page.tsx'), 'AccountPage'),
});

/** For operators alone. */
const operator = createRoute({
  getParentRoute: () => inside,
  path: 'operator',
  component: lazyPage(() => import('./features/operator/operator-only.tsx'), 'OperatorOnly'),
});
const operatorHome = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/reports' });
  },
});
const reports = createRoute({
  getParentRoute: () => operator,
  path: 'reports',
  validateSearch: parseReportsSearch,
  component: lazyPage(() => import('./features/operator/reports-page.tsx'), 'ReportsPage'),
});
const lookUp = createRoute({
  getParentRoute: () => operator,
  path: 'look-up',
  validateSearch: parseLookUpSearch,
  component: lazyPage(() => import('./features/operator/look-up-page.tsx'), 'LookUpPage'),
});
const operatorPeople = createRoute({
  getParentRoute: () => operator,
  path: 'people',
  validateSearch: parsePeopleSearch,
  component: lazyPage(() => import('./features/operator/people-page.tsx'), 'PeoplePage'),
});
const operatorAccounts = createRoute({
  getParentRoute: () => operator,
  path: 'accounts',
  validateSearch: parseAccountsSearch,
  component: lazyPage(() => import('./features/operator/accounts-page.tsx'), 'AccountsPage'),
});
const operatorPlans = createRoute({
  getParentRoute: () => operator,
  path: 'plans',
  component: lazyPage(() => import('./features/operator/plans-page.tsx'), 'PlansPage'),
});
const setupCheck = createRoute({
  getParentRoute: () => operator,
  path: 'setup',
  component: lazyPage(() => import('./features/operator/setup-page.tsx'), 'SetupPage'),
});
const operatorAccount = createRoute({
  getParentRoute: () => operator,
  path: 'accounts/$id',
  validateSearch: parsePageSearch,
  component: lazyPage(() => import('./features/operator/account-page.tsx'), 'OperatorAccountPage'),
});
const suspensions = createRoute({
  getParentRoute: () => operator,
  path: 'suspensions',
  validateSearch: parseSuspensionsSearch,
  component: lazyPage(() => import('./features/operator/suspensions-page.tsx'), 'SuspensionsPage'),
});
const blockedHosts = createRoute({
  getParentRoute: () => operator,
  path: 'blocked-hosts',
  validateSearch: parsePageSearch,
  component: lazyPage(() => import('./features/operator/blocked-page.tsx'), 'BlockedPage'),
});

export const router = createRouter({
  basepath: '/app',
  routeTree: root.addChildren([
    outside.addChildren([signIn, signUp, firstOperator, forgot, reset, verify, confirmNewEmail, invitation]),
    inside.addChildren([
      home,
      codes,
      newCode,
      importCodes,
      tags,
      code.addChildren([codeOverview, codeRules, codePlacements, codeAnalytics, codeHistory]),
      designs,
      newDesign,
      design,
      print,
      analytics,
      keys,
      activity,
      webhooks,
      webhook,
      general,
      domains,
      people,
      plan,
      accountPage,
      operator.addChildren([
        operatorHome,
        reports,
        lookUp,
        operatorPeople,
        operatorAccounts,
        operatorAccount,
        operatorPlans,
        setupCheck,
        suspensions,
        blockedHosts,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 100,
  defaultPendingComponent: PageWait,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

/** Loads the script of the page that was opened. The router itself waits with that until it knows who is signed in. */
export function startPage(): void {
  const routes: Readonly<Record<string, AnyRoute | undefined>> = router.routesById;
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    void routes[routeId]?.options.component?.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  /** What goes with an entry in the history of the browser, and not into the address. */
  interface HistoryState {
    /** Codes that were chosen for printing. */
    readonly printed?: readonly string[];
    /** Whoever came by a key goes on by keys. */
    readonly byKey?: boolean;
  }
}
