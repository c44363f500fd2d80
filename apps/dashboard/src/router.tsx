import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from './api/query-client.ts';
import { isApiError } from './api/request.ts';
import { noteSignedIn, seemsSignedIn } from './api/signed-in.ts';
import { parseAnalyticsSearch } from './features/analytics/search.ts';
import { parseCodesSearch } from './features/codes/codes-search.ts';
import {
  parseLookUpSearch,
  parsePageSearch,
  parseReportsSearch,
  parseSuspensionsSearch,
} from './features/operator/search.ts';
import { meQuery } from './features/shell/me.ts';
import { NotFound } from './features/shell/not-found.tsx';
import { Shell } from './features/shell/shell.tsx';
import { SignInFrame } from './features/sign-in/frame.tsx';
import { Problem } from './ui/problem.tsx';
import { Wait } from './ui/wait.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

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
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => outside,
  path: 'sign-up',
  component: lazyRouteComponent(() => import('./features/sign-in/sign-up.tsx'), 'SignUp'),
});
const firstOperator = createRoute({
  getParentRoute: () => outside,
  path: 'first-operator',
  component: lazyRouteComponent(() => import('./features/sign-in/first-operator.tsx'), 'FirstOperator'),
});
const forgot = createRoute({
  getParentRoute: () => outside,
  path: 'forgot-password',
  component: lazyRouteComponent(() => import('./features/sign-in/forgot-password.tsx'), 'ForgotPassword'),
});
const reset = createRoute({
  getParentRoute: () => outside,
  path: 'reset-password',
  component: lazyRouteComponent(() => import('./features/sign-in/reset-password.tsx'), 'ResetPassword'),
});
const verify = createRoute({
  getParentRoute: () => outside,
  path: 'verify-email',
  component: lazyRouteComponent(() => import('./features/sign-in/verify-email.tsx'), 'VerifyEmail'),
});

/** Everything behind the sign-in; who has no session is sent there, and comes back to where they were going. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const toSignIn = () =>
      redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } });
    if (!seemsSignedIn()) throw toSignIn();
    try {
      await queryClient.ensureQueryData(meQuery);
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
  component: lazyRouteComponent(() => import('./features/codes/codes-page.tsx'), 'CodesPage'),
});
const newCode = createRoute({
  getParentRoute: () => inside,
  path: 'codes/new',
  component: lazyRouteComponent(() => import('./features/codes/new-code-page.tsx'), 'NewCodePage'),
});
const code = createRoute({
  getParentRoute: () => inside,
  path: 'codes/$id',
  component: lazyRouteComponent(() => import('./features/codes/code-page.tsx'), 'CodePage'),
});
const codeOverview = createRoute({
  getParentRoute: () => code,
  path: '/',
  component: lazyRouteComponent(() => import('./features/codes/code-overview.tsx'), 'CodeOverview'),
});
const codeAnalytics = createRoute({
  getParentRoute: () => code,
  path: 'analytics',
  validateSearch: parseAnalyticsSearch,
  component: lazyRouteComponent(() => import('./features/analytics/code-analytics.tsx'), 'CodeAnalytics'),
});
const codeHistory = createRoute({
  getParentRoute: () => code,
  path: 'history',
  component: lazyRouteComponent(() => import('./features/codes/code-history.tsx'), 'CodeHistory'),
});
const analytics = createRoute({
  getParentRoute: () => inside,
  path: 'analytics',
  validateSearch: parseAnalyticsSearch,
  component: lazyRouteComponent(() => import('./features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});
const keys = createRoute({
  getParentRoute: () => inside,
  path: 'settings/keys',
  component: lazyRouteComponent(() => import('./features/settings/keys-page.tsx'), 'KeysPage'),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: 'settings/webhooks',
  component: lazyRouteComponent(() => import('./features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => inside,
  path: 'settings/webhooks/$id',
  component: lazyRouteComponent(() => import('./features/webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const plan = createRoute({
  getParentRoute: () => inside,
  path: 'settings/plan',
  component: lazyRouteComponent(() => import('./features/settings/plan-page.tsx'), 'PlanPage'),
});
const accountPage = createRoute({
  getParentRoute: () => inside,
  path: 'settings/account',
  component: lazyRouteComponent(() => import('./features/settings/account-page.tsx'), 'AccountPage'),
});

/** For operators alone. */
const operator = createRoute({
  getParentRoute: () => inside,
  path: 'operator',
  component: lazyRouteComponent(() => import('./features/operator/operator-only.tsx'), 'OperatorOnly'),
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
  component: lazyRouteComponent(() => import('./features/operator/reports-page.tsx'), 'ReportsPage'),
});
const lookUp = createRoute({
  getParentRoute: () => operator,
  path: 'look-up',
  validateSearch: parseLookUpSearch,
  component: lazyRouteComponent(() => import('./features/operator/look-up-page.tsx'), 'LookUpPage'),
});
const operatorAccount = createRoute({
  getParentRoute: () => operator,
  path: 'accounts/$id',
  validateSearch: parsePageSearch,
  component: lazyRouteComponent(() => import('./features/operator/account-page.tsx'), 'OperatorAccountPage'),
});
const suspensions = createRoute({
  getParentRoute: () => operator,
  path: 'suspensions',
  validateSearch: parseSuspensionsSearch,
  component: lazyRouteComponent(() => import('./features/operator/suspensions-page.tsx'), 'SuspensionsPage'),
});
const blockedHosts = createRoute({
  getParentRoute: () => operator,
  path: 'blocked-hosts',
  validateSearch: parsePageSearch,
  component: lazyRouteComponent(() => import('./features/operator/blocked-page.tsx'), 'BlockedPage'),
});

export const router = createRouter({
  basepath: '/app',
  routeTree: root.addChildren([
    outside.addChildren([signIn, signUp, firstOperator, forgot, reset, verify]),
    inside.addChildren([
      home,
      codes,
      newCode,
      code.addChildren([codeOverview, codeAnalytics, codeHistory]),
      analytics,
      keys,
      webhooks,
      webhook,
      plan,
      accountPage,
      operator.addChildren([operatorHome, reports, lookUp, operatorAccount, suspensions, blockedHosts]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: Wait,
  defaultErrorComponent: ({ error, reset: again }) => <Problem error={error} onRetry={again} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
