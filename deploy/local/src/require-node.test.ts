import { expect, test } from 'vitest'
// @ts-expect-error Plain JavaScript, which an old Node understands.
import { missingPackages } from '../require-node.mjs'

test('a package that an update brought is named whole, and one for another machine is not missed', () => {
  const wanted = {
    '': {},
    'node_modules/zod': {},
    'node_modules/@a-long-scope/a-package-with-a-long-name': {},
    'node_modules/@esbuild/aix-ppc64': { optional: true },
    'services/profile': {},
  }
  expect(missingPackages(wanted, { 'node_modules/zod': {} })).toEqual(['@a-long-scope/a-package-with-a-long-name'])
})
