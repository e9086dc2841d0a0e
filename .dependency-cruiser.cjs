/**
 * The boundaries of the architecture. `npm run check` first plants a violation of every rule in a throw-away tree and
 * expects each to be caught by its name, so a rule that no longer bites fails too.
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** The modules of each service and what they share, from the ground up: each imports only those before it. */
const modulesOf = require('./deploy/ci/module-order.json')
const moduleOrder = Object.entries(modulesOf).flatMap(([service, modules]) =>
  modules
    .slice(0, -1)
    .map((name, place) =>
      rule(
        `module-order-${service}-${name.replace('modules/', '')}`,
        'Modules of a service import downwards only: a lower one states what it needs as a type of its own.',
        { path: `^services/${service}/src/${name}/`, pathNot: '[.]test[.]ts$' },
        { path: `^services/${service}/src/(${modules.slice(place + 1).join('|')})/` },
      ),
    ),
)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'ingest-opens-little',
      comment:
        'Ingest takes webhooks and visits of links: it starts fast, in little memory, and fails with nothing else.',
      severity: 'error',
      from: { path: '^services/messaging/src/ingest\\.ts$' },
      to: {
        path: '^services/messaging/src/((open-messaging|services|app)\\.ts|modules/(contacts|macros|usage|automation|inbound|notifications|webhooks|events|analytics|privacy|retention|sample)/)',
        reachable: true,
      },
    },
    rule('no-cycles', 'A cycle is one module in several files.', {}, { circular: true }),
    rule('no-unresolved', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    rule(
      'no-climbing-import',
      'Another package is imported by its name, so that its exports and the declared dependencies hold.',
      { path: '^((?:packages|services|deploy)/[^/]+|bff|frontend)/', pathNot: '^deploy/docker/' },
      {
        path: '^(packages|services|deploy|bff|frontend)/',
        pathNot: '^($1|deploy/docker)/',
        dependencyTypesNot: ['aliased-workspace'],
      },
    ),
    rule(
      'service-not-service',
      'Services meet over HTTP and events only.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    ...moduleOrder,
    rule(
      'store-only-from-own-part',
      'Parts of a module of messaging keep their repositories and models to themselves as modules do.',
      { path: '^services/messaging/src/modules/((?:channel|inbox|outbound|privacy)/[^/]+)/' },
      {
        path: '^services/messaging/src/modules/.+[.](repository|model)[.]ts$',
        pathNot: '^services/messaging/src/modules/$1/',
      },
    ),
    rule(
      'store-only-from-own-module',
      "A module's repositories and models are its own.",
      { path: '^services/[^/]+/src/modules/([^/]+)/' },
      {
        path: '^services/[^/]+/src/modules/.+[.](repository|model)[.]ts$',
        pathNot: '^services/[^/]+/src/modules/$1/',
      },
    ),
    rule(
      'send-through-the-gate',
      'The call that sends a message is reached by the gate alone, which judges each message first.',
      { path: '^services/', pathNot: '^services/messaging/src/modules/outbound/sending/gate[.]ts$|[.]test[.]ts$' },
      { path: '^services/messaging/src/whatsapp/send-call[.]ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'routes-not-repository',
      'A route translates; the service decides what is stored.',
      { path: '[.]routes[.]ts$' },
      { path: '[.](repository|model)[.]ts$' },
    ),
    rule(
      'mongoose-in-models-only',
      'A service describes what is stored in its models; it reaches it through the scoped collections of service-kit.',
      { path: '^services/', pathNot: '[.]model[.]ts$|/migrations/|[.]test[.]ts$|/src/test/' },
      { path: '(^|/)node_modules/(mongoose|mongodb)/' },
    ),
    rule(
      'bff-thin',
      'The BFF holds sessions and forwards; it has neither database nor service framework.',
      { path: '^bff/' },
      { path: '(^|/)node_modules/(fastify|@fastify|mongoose|mongodb)/|^packages/service-kit/src/(http|data)/' },
    ),
    rule(
      'no-testing-in-production-code',
      'Test helpers stay in tests.',
      {
        path: '^(packages|services|bff|frontend)/',
        pathNot: '([.]test[.]tsx?$)|/src/test/|/testing/|test-setup[.]ts$',
      },
      { path: '/testing/|/src/test/|[.]test[.]tsx?$' },
    ),
    rule(
      'contracts-zod-only',
      'Contracts run in every process and in the browser.',
      { path: '^packages/contracts/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^packages/contracts/|(^|/)node_modules/zod/' },
    ),
    rule(
      'processes-contracts-only',
      'The registry of processes is data: whoever starts, reaches or documents them reads it.',
      { path: '^packages/processes/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^packages/(processes|contracts)/' },
    ),
    rule(
      'phone-is-leaf',
      'Phone numbers are shared by browser and services.',
      { path: '^packages/phone/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^packages/phone/|(^|/)node_modules/libphonenumber-js/' },
    ),
    rule(
      'pure-packages-contracts-only',
      'Rules, the interpreter and the sample are pure: they run in the browser and in every service.',
      { path: '^packages/(flow|rules|sample)/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^packages/(flow|rules|sample|contracts)/' },
    ),
    rule(
      'service-kit-below-processes',
      'What processes share knows none of them.',
      { path: '^packages/service-kit/' },
      { path: '^(services|bff|frontend|deploy)/' },
    ),
    rule(
      'nothing-imports-deploy',
      'Deployment uses the product, never the reverse.',
      { pathNot: '^deploy/' },
      { path: '^deploy/', pathNot: '^deploy/local/src/testing/' },
    ),
    rule(
      'frontend-contracts-only',
      'The page knows the contracts and nothing of the servers.',
      { path: '^frontend/' },
      { path: '^(packages/(?!contracts/|ogg/|phone/|flow/|rules/|sample/)|services/|bff/)' },
    ),
    rule(
      'feature-not-feature',
      'Screens share through lib and ui.',
      { path: '^frontend/src/features/([^/]+)/' },
      { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    ),
    rule(
      'lib-and-ui-below-features',
      'What features share knows no feature.',
      { path: '^frontend/src/(lib|ui)/' },
      { path: '^frontend/src/(features|flow-builder|app)/' },
    ),
    rule(
      'sample-in-tests',
      'The page shows what services answer: the sample is for its tests.',
      { path: '^frontend/src/', pathNot: '^frontend/src/testing/|[.]test[.]tsx?$' },
      { path: '^packages/sample/' },
    ),
    rule(
      'flow-builder-below-features',
      'Bots and workflows share one builder, which knows neither of them.',
      { path: '^frontend/src/flow-builder/' },
      { path: '^frontend/src/(features|app)/' },
    ),
    rule(
      'features-below-app',
      'The app composes features; of it they know the paths alone.',
      { path: '^frontend/src/features/' },
      { path: '^frontend/src/app/', pathNot: '^frontend/src/app/paths[.]ts$' },
    ),
    rule(
      'router-in-one-place',
      'Routing is known to the app and to one hook file.',
      {
        path: '^frontend/src/',
        pathNot: '^frontend/src/app/|^frontend/src/lib/navigation[.]tsx?$|[.]test[.]tsx$|test-setup',
      },
      { path: '(^|/)node_modules/react-router' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(coverage|frontend/dist)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
