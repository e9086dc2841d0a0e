import modules from '../module-order.json' with { type: 'json' }

/** One violation for each boundary rule, in a tree that looks like ours: files by their path. The self-test expects each to be caught. */
export const plantedViolations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'bff/src/cycle-a.ts': "import './cycle-b.ts'\n",
    'bff/src/cycle-b.ts': "import './cycle-a.ts'\n",
  },
  'ingest-opens-little': {
    'services/messaging/src/ingest.ts': "import './between.ts'\n",
    'services/messaging/src/between.ts': "import './modules/usage/meter.ts'\n",
    'services/messaging/src/modules/usage/meter.ts': 'export {}\n',
  },
  'no-unresolved': { 'bff/src/nowhere.ts': "import './does-not-exist.ts'\n" },
  'no-climbing-import': {
    'deploy/one/src/climbs.ts': "import '../../two/src/climbed.ts'\n",
    'deploy/two/src/climbed.ts': 'export {}\n',
  },
  'service-not-service': {
    'services/one/src/calls.ts': "import type { other } from '../../two/src/other.ts'\nexport type X = typeof other\n",
    'services/two/src/other.ts': 'export const other = 1\n',
  },
  ...Object.fromEntries(
    Object.entries(modules).flatMap(([service, names]) =>
      names.slice(1).map((upper, index) => {
        const lower = names[index] ?? ''
        return [
          `module-order-${service}-${lower.replace('modules/', '')}`,
          {
            [`services/${service}/src/${lower}/low.ts`]: `export type { High } from '${lower.replaceAll(/[^/]+/g, '..')}/${upper}/high.ts'\n`,
            [`services/${service}/src/${upper}/high.ts`]: 'export type High = 1\n',
          },
        ]
      }),
    ),
  ),
  'store-only-from-own-part': {
    'services/messaging/src/modules/inbox/a/a.service.ts': "export { b } from '../b/b.repository.ts'\n",
    'services/messaging/src/modules/inbox/b/b.repository.ts': 'export const b = 1\n',
  },
  'store-only-from-own-module': {
    'services/one/src/modules/a/a.service.ts': "export { b } from '../b/b.repository.ts'\n",
    'services/one/src/modules/b/b.repository.ts': 'export const b = 1\n',
  },
  'send-through-the-gate': {
    'services/messaging/src/modules/flows/says.ts': "export { sendCall } from '../../whatsapp/send-call.ts'\n",
    'services/messaging/src/whatsapp/send-call.ts': 'export const sendCall = 1\n',
  },
  'routes-not-repository': {
    'services/one/src/modules/b/b.routes.ts': "import { b } from './b.repository.ts'\nexport const route = b\n",
  },
  'mongoose-in-models-only': {
    'services/one/src/modules/a/a.repository.ts':
      "import { createConnection } from 'mongoose'\nexport const c = createConnection()\n",
  },
  'bff-thin': { 'bff/src/database.ts': "import mongoose from 'mongoose'\nexport const m = mongoose\n" },
  'no-testing-in-production-code': {
    'services/one/src/real.ts':
      "import { fake } from '../../../packages/service-kit/src/testing/fake.ts'\nexport const x = fake\n",
    'packages/service-kit/src/testing/fake.ts': 'export const fake = 1\n',
  },
  'contracts-zod-only': { 'packages/contracts/src/heavy.ts': "import 'node:fs'\n" },
  'processes-contracts-only': { 'packages/processes/src/heavy.ts': "import 'node:fs'\n" },
  'phone-is-leaf': { 'packages/phone/src/heavy.ts': "import 'zod'\n" },
  'pure-packages-contracts-only': { 'packages/flow/src/heavy.ts': "import 'node:fs'\n" },
  'service-kit-below-processes': {
    'packages/service-kit/src/core/up.ts': "import '../../../../services/two/src/other.ts'\n",
  },
  'nothing-imports-deploy': {
    'bff/src/local.ts': "import '../../deploy/local/src/stack.ts'\n",
    'deploy/local/src/stack.ts': 'export {}\n',
  },
  'frontend-contracts-only': { 'frontend/src/lib/server.ts': "import '../../../services/two/src/other.ts'\n" },
  'feature-not-feature': {
    'frontend/src/features/a/page.tsx': "import { part } from '../b/part.tsx'\nexport const page = part\n",
    'frontend/src/features/b/part.tsx': 'export const part = 1\n',
  },
  'lib-and-ui-below-features': { 'frontend/src/ui/button.tsx': "export { part } from '../features/b/part.tsx'\n" },
  'sample-in-tests': {
    'frontend/src/features/a/api.ts': "export { story } from '../../../../packages/sample/src/story.ts'\n",
    'packages/sample/src/story.ts': 'export const story = []\n',
  },
  'flow-builder-below-features': {
    'frontend/src/flow-builder/canvas.tsx': "export { part } from '../features/b/part.tsx'\n",
  },
  'features-below-app': {
    'frontend/src/features/b/up.tsx': "export { routes } from '../../app/routes.tsx'\n",
    'frontend/src/app/routes.tsx': 'export const routes = 1\n',
  },
  'router-in-one-place': {
    'frontend/src/features/b/link.tsx': "import { Link } from 'react-router-dom'\nexport const L = Link\n",
  },
}
