import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endpointsOf } from './endpoints.ts'

const contracts = new URL('../../contracts/src/', import.meta.url)

const isEndpoint = (value: unknown): value is { readonly operation: string } =>
  typeof value === 'object' && value !== null && 'operation' in value && 'path' in value && 'method' in value

/** Jobs are those of the kit’s own tests, and `me` is answered by the BFF itself. */
const apart = ['jobs.cancel', 'jobs.find', 'me.read']

test('every endpoint of the contracts belongs to a process, so that pages and keys reach it', async () => {
  const listed = new Set(Object.values(endpointsOf).flatMap((own) => own.map(({ operation }) => operation)))
  const missing: string[] = []
  for (const file of globSync('**/*.ts', { cwd: contracts })) {
    if (file.endsWith('.test.ts')) continue
    const exported: Record<string, unknown> = await import(new URL(file, contracts).href)
    for (const api of Object.values(exported)) {
      const endpoints = isEndpoint(api)
        ? [api]
        : typeof api === 'object' && api
          ? Object.values(api).filter(isEndpoint)
          : []
      missing.push(...endpoints.flatMap(({ operation }) => (listed.has(operation) ? [] : operation)))
    }
  }
  expect([...new Set(missing)].sort()).toEqual(apart)
})

test('no method and path is answered twice: the BFF would not start', () => {
  const routes = Object.values(endpointsOf).flatMap((own) => own.map(({ method, path }) => `${method} ${path}`))
  expect(routes.filter((route, place) => routes.indexOf(route) !== place)).toEqual([])
})
