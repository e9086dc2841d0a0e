/** A variable that no schema describes, because it is read by a tool and not by a server process. */
export interface Variable {
  readonly name: string
  /** `required`, or what holds where it is absent. */
  readonly absent: string
  readonly meaning: string
}

/** Read by `npm start` and `npm run doctor`. */
export const launcherVariables: readonly Variable[] = [
  { name: 'PORT', absent: '`3000`', meaning: 'Port of the app.' },
  { name: 'PARLEY_HOME', absent: '`.parley`', meaning: 'Folder for data, ports, secrets and logs.' },
  {
    name: 'MONGODB_URL',
    absent: 'a `mongod` of its own',
    meaning: 'A replica set to use instead; database `parley_profile` is used there.',
  },
  { name: 'REDIS_URL', absent: 'a Valkey or Redis of its own', meaning: 'A Redis or Valkey server to use instead.' },
  {
    name: 'OIDC_ISSUER',
    absent: 'the stand-in',
    meaning: 'A Keycloak realm to use instead, with the three secrets below.',
  },
  { name: 'OIDC_WEB_CLIENT_SECRET', absent: 'required with `OIDC_ISSUER`', meaning: 'Secret of the client `bff-web`.' },
  {
    name: 'OIDC_PASSWORD_CLIENT_SECRET',
    absent: 'required with `OIDC_ISSUER`',
    meaning: 'Secret of the client `bff-password`.',
  },
  {
    name: 'IDENTITY_CLIENT_SECRET',
    absent: 'required with `OIDC_ISSUER`',
    meaning: 'Secret of the client `svc-identity`.',
  },
  {
    name: 'KEYCLOAK',
    absent: 'the stand-in',
    meaning: '`real` runs a Keycloak server instead of the stand-in; needs Java 17 or newer.',
  },
  {
    name: 'KEYCLOAK_HOME',
    absent: 'obtained with Maven',
    meaning: 'Folder of an unpacked Keycloak distribution, for `KEYCLOAK=real`.',
  },
  { name: 'JAVA_HOME', absent: '`java` on the PATH', meaning: 'Java for `KEYCLOAK=real`.' },
  { name: 'SMTP_URL', absent: 'the mail catcher', meaning: "A mail server that takes the stand-in's mail instead." },
  {
    name: 'LIMIT_*',
    absent: 'the defaults of the BFF; those for each IP are raised',
    meaning: 'Passed on to the BFF.',
  },
  { name: 'PASSWORD_SIGN_IN', absent: 'the default of the BFF', meaning: 'Passed on to the BFF.' },
  { name: 'NODE_ENV', absent: '`development` for the processes', meaning: 'With `production` no stand-in starts.' },
  {
    name: 'PATH, HOME, TMPDIR, LANG, LC_ALL, TZ, LOG_LEVEL, NODE_EXTRA_CA_CERTS',
    absent: '–',
    meaning: 'The only other variables of the shell that the processes see.',
  },
]

/** Read when the frontend is built or served by Vite. */
export const frontendVariables: readonly Variable[] = [
  {
    name: 'VITE_CONTACT_DOMAIN',
    absent: '`parley.example`',
    meaning: 'Domain of the mailboxes to which the landing page links; fixed when the page is built.',
  },
  {
    name: 'VITE_API_KEY',
    absent: '`parley-web`',
    meaning: 'Names the project of the page to `/v1/projects`; must not contain a colon. Fixed when the page is built.',
  },
  {
    name: 'VITE_TOKEN_SYNC_URL',
    absent: 'off',
    meaning:
      'Path of our own origin to which each new ID token is posted, `/auth/token-sync` for one; https or `localhost` only. ' +
      'Fixed when the page is built.',
  },
  {
    name: 'VITE_FORCED_STATES',
    absent: 'off',
    meaning:
      '`on` lets `?state=` and `?records=` show every state of a screen; for tests, fixed when the page is built.',
  },
  {
    name: 'BFF_URL',
    absent: '`http://localhost:3000`',
    meaning: 'Where the Vite development server sends `/api`, `/auth` and `/v1`.',
  },
]

/** Read by tests. */
export const testVariables: readonly Variable[] = [
  {
    name: 'CHROMIUM_PATH',
    absent: 'Chromium or Chrome in `/usr/bin`',
    meaning: 'Browser of the journeys and screenshots.',
  },
  {
    name: 'PARLEY_TEST_PARTS',
    absent: 'all but the BFF',
    meaning: 'Parts of the stack to start for `npm run services`: `mongodb,redis`.',
  },
  {
    name: 'PARLEY_TEST_STACK',
    absent: 'a stack of its own',
    meaning: 'File that describes a running stack for `npm run services`; `deploy/ci/src/keycloak.ts` writes one.',
  },
  {
    name: 'PARLEY_TOOLS_CACHE',
    absent: '`~/.cache/parley-tools`',
    meaning: 'Folder of programs for the checks of the chart, kept for the next clone.',
  },
  { name: 'PLAYWRIGHT_JSON_OUTPUT_NAME', absent: '`test-results/report.json`', meaning: 'Report of the journeys.' },
  {
    name: 'IDENTITY_CONTRACT_ISSUER',
    absent: 'the stand-in',
    meaning: 'A Keycloak realm for the identity contract, with the six variables below.',
  },
  { name: 'IDENTITY_CONTRACT_WEB_SECRET', absent: 'required then', meaning: 'Secret of `bff-web`.' },
  { name: 'IDENTITY_CONTRACT_PASSWORD_SECRET', absent: 'required then', meaning: 'Secret of `bff-password`.' },
  { name: 'IDENTITY_CONTRACT_ADMIN_SECRET', absent: 'required then', meaning: 'Secret of `svc-identity`.' },
  {
    name: 'IDENTITY_CONTRACT_PUBLIC_ORIGIN',
    absent: 'required then',
    meaning: "Origin with which the clients' redirect URIs begin.",
  },
  { name: 'IDENTITY_CONTRACT_MAIL_URL', absent: 'required then', meaning: 'Page of a maildev that gets its mail.' },
  {
    name: 'IDENTITY_CONTRACT_BACKCHANNEL_PORT',
    absent: 'required then',
    meaning: 'Port of this machine to which the realm posts logout tokens.',
  },
]
