/** One violation for each boundary rule, in a tree that looks like ours. The self-test expects each to be caught. */
export const plantedViolations: { readonly rule: string; readonly files: Record<string, string> }[] = [
  {
    rule: 'no-cycles',
    files: {
      'bff/src/cycle-a.ts': "import './cycle-b.ts'\n",
      'bff/src/cycle-b.ts': "import './cycle-a.ts'\n",
    },
  },
  { rule: 'no-unresolved', files: { 'bff/src/nowhere.ts': "import './does-not-exist.ts'\n" } },
  {
    rule: 'no-climbing-import',
    files: {
      'deploy/one/src/climbs.ts': "import '../../two/src/climbed.ts'\n",
      'deploy/two/src/climbed.ts': 'export {}\n',
    },
  },
  {
    rule: 'service-not-service',
    files: {
      'services/one/src/calls.ts':
        "import type { other } from '../../two/src/other.ts'\nexport type X = typeof other\n",
      'services/two/src/other.ts': 'export const other = 1\n',
    },
  },
  {
    rule: 'store-only-from-own-feature',
    files: {
      'services/one/src/features/a/a.service.ts': "export { b } from '../b/b.repository.ts'\n",
      'services/one/src/features/b/b.repository.ts': 'export const b = 1\n',
    },
  },
  {
    rule: 'routes-not-repository',
    files: {
      'services/one/src/features/b/b.routes.ts': "import { b } from './b.repository.ts'\nexport const route = b\n",
    },
  },
  {
    rule: 'mongoose-in-models-only',
    files: {
      'services/one/src/features/a/a.repository.ts':
        "import { createConnection } from 'mongoose'\nexport const c = createConnection()\n",
    },
  },
  {
    rule: 'bff-thin',
    files: { 'bff/src/database.ts': "import mongoose from 'mongoose'\nexport const m = mongoose\n" },
  },
  {
    rule: 'no-testing-in-production-code',
    files: {
      'services/one/src/real.ts':
        "import { fake } from '../../../packages/service-kit/src/testing/fake.ts'\nexport const x = fake\n",
      'packages/service-kit/src/testing/fake.ts': 'export const fake = 1\n',
    },
  },
  { rule: 'contracts-zod-only', files: { 'packages/contracts/src/heavy.ts': "import 'node:fs'\n" } },
  { rule: 'phone-is-leaf', files: { 'packages/phone/src/heavy.ts': "import 'zod'\n" } },
  { rule: 'flow-and-sample-contracts-only', files: { 'packages/flow/src/heavy.ts': "import 'node:fs'\n" } },
  {
    rule: 'service-kit-below-processes',
    files: { 'packages/service-kit/src/core/up.ts': "import '../../../../services/two/src/other.ts'\n" },
  },
  {
    rule: 'nothing-imports-deploy',
    files: {
      'bff/src/local.ts': "import '../../deploy/local/src/stack.ts'\n",
      'deploy/local/src/stack.ts': 'export {}\n',
    },
  },
  {
    rule: 'frontend-contracts-only',
    files: { 'frontend/src/lib/server.ts': "import '../../../services/two/src/other.ts'\n" },
  },
  {
    rule: 'feature-not-feature',
    files: {
      'frontend/src/features/a/page.tsx': "import { part } from '../b/part.tsx'\nexport const page = part\n",
      'frontend/src/features/b/part.tsx': 'export const part = 1\n',
    },
  },
  {
    rule: 'lib-and-ui-below-features',
    files: { 'frontend/src/ui/button.tsx': "export { part } from '../features/b/part.tsx'\n" },
  },
  {
    rule: 'sample-behind-call',
    files: {
      'frontend/src/features/a/api.ts': "export { answers } from '../../sample/answers.ts'\n",
      'frontend/src/sample/answers.ts': 'export const answers = []\n',
    },
  },
  {
    rule: 'flow-builder-below-features',
    files: { 'frontend/src/flow-builder/canvas.tsx': "export { part } from '../features/b/part.tsx'\n" },
  },
  {
    rule: 'features-below-app',
    files: {
      'frontend/src/features/b/up.tsx': "export { routes } from '../../app/routes.tsx'\n",
      'frontend/src/app/routes.tsx': 'export const routes = 1\n',
    },
  },
  {
    rule: 'router-in-one-place',
    files: { 'frontend/src/features/b/link.tsx': "import { Link } from 'react-router-dom'\nexport const L = Link\n" },
  },
]
