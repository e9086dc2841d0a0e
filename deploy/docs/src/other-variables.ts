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
    name: 'PARLEY_BACKING',
    absent: '`local`',
    meaning:
      '`docker` runs MongoDB, Redis and, with `KEYCLOAK=real`, Keycloak as containers, with the images of `docker-compose.yml`. ' +
      'Tests ask `TEST_BACKING` instead.',
  },
  {
    name: 'MONGO_IMAGE, VALKEY_IMAGE, KEYCLOAK_IMAGE',
    absent: 'those of `docker-compose.yml`',
    meaning: 'Images for `PARLEY_BACKING=docker`.',
  },
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
    name: 'COMPOSE_APP_URL',
    absent: '`http://localhost:3000`',
    meaning: 'App that `playwright test --config deploy/e2e/compose.config.ts` walks through; it runs already.',
  },
  { name: 'COMPOSE_MAIL_URL', absent: '`http://127.0.0.1:1080`', meaning: 'Page of its mail catcher.' },
  {
    name: 'PARLEY_COMPOSE',
    absent: 'set by `make containers`',
    meaning:
      'For the tests of containers: the compose command; `PARLEY_DOCKER` the client, `NODE_IMAGE` the base image.',
  },
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
    meaning: 'File that describes a running stack for `npm run services`; `make keycloak` writes one.',
  },
  {
    name: 'PARLEY_TOOLS_CACHE',
    absent: '`~/.cache/parley-tools`',
    meaning: 'Folder of programs for the checks of the chart, kept for the next clone.',
  },
  { name: 'PLAYWRIGHT_JUNIT_OUTPUT_FILE', absent: '`test-results/report.xml`', meaning: 'Report of the journeys.' },
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

/** Read by `make load` and the scripts of `deploy/k6`. */
export const loadVariables: readonly Variable[] = [
  {
    name: 'TARGET',
    absent: '`local` with `make load`, else required',
    meaning: 'Origin of the app as browsers know it; for `make load` also `local` or `compose`.',
  },
  {
    name: 'OIDC_ISSUER',
    absent: 'required for a URL',
    meaning: 'The realm as browsers know it: the code flow visits its pages.',
  },
  {
    name: 'ADMIN_CLIENT_SECRET',
    absent: 'required for a URL',
    meaning: 'Secret of the client that makes and removes the test accounts.',
  },
  {
    name: 'ADMIN_ISSUER',
    absent: '`OIDC_ISSUER`',
    meaning: 'The realm where its `/admin` answers, which is not routed to the outside; a forwarded port, say.',
  },
  { name: 'ADMIN_CLIENT_SECRET_FILE', absent: 'off', meaning: 'A file that holds it instead.' },
  {
    name: 'ADMIN_CLIENT_ID',
    absent: '`svc-identity`',
    meaning: 'That client; it needs `manage-users`, `view-users` and `query-users`.',
  },
  { name: 'SHAPE', absent: '`smoke`', meaning: '`smoke`, `average`, `stress`, `spike` or `soak`.' },
  {
    name: 'RATE',
    absent: 'that of the shape',
    meaning: 'Journeys a second that factor 1 of the shape stands for.',
  },
  {
    name: 'THRESHOLD_FACTOR',
    absent: '`1`',
    meaning: 'Multiplies the latency limits, for a machine with other work; never the error limits.',
  },
  {
    name: 'ALLOW_TARGET',
    absent: 'none',
    meaning: 'Hosts, comma-separated, that may be loaded though they are public; a private one needs no consent.',
  },
  { name: 'RUN_ID', absent: 'random', meaning: 'Names the accounts of the run: 1 to 16 small letters and digits.' },
]
