import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { environmentPage, pageFile, variablesOf } from './environment.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('the committed page is what the schemas say; otherwise type: npm run docs', async () => {
  const page = readFileSync(pageFile, 'utf8')
  expect(page).toBe(await environmentPage(page))
})

test('a variable is required, has a default, or is off', () => {
  const schema = z.object({
    NEEDED: z.string().describe('A.'),
    COUNT: z.coerce.number().default(3).describe('B.'),
    EXTRA: z.url().optional().describe('C.'),
    URL: z
      .url()
      .transform((url) => url.slice(1))
      .describe('D.'),
  })
  expect(variablesOf(schema)).toEqual([
    { name: 'NEEDED', absent: 'required', meaning: 'A.' },
    { name: 'COUNT', absent: '`3`', meaning: 'B.' },
    { name: 'EXTRA', absent: 'off', meaning: 'C.' },
    { name: 'URL', absent: 'required', meaning: 'D.' },
  ])
})

test('a variable without a meaning is refused by name', () => {
  expect(() => variablesOf(z.object({ SILENT: z.string() }))).toThrow('SILENT')
})

test('every variable that a source reads by name is on the page', () => {
  const page = readFileSync(pageFile, 'utf8')
  const read = new Set(sources().flatMap((file) => namesIn(readFileSync(join(root, file), 'utf8'))))
  // One of each way of reading: were a pattern broken, nothing would be missing either.
  for (const name of ['PARLEY_HOME', 'VITE_CONTACT_DOMAIN', 'REDIS_URL', 'IDENTITY_CONTRACT_ISSUER'])
    expect(read).toContain(name)
  expect([...read].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

/** Variables of a process that a benchmark starts for itself come from the benchmark alone. */
const sources = () =>
  globSync('{bff,frontend,packages/*,services/*,deploy/*}/{*,src/**/*,journeys/*}.{ts,tsx,mjs}', { cwd: root }).filter(
    (file) =>
      !/\.test\.tsx?$|\/testing\/|^deploy\/bench\/.*\.process\.ts$/.test(file) ||
      /^deploy\/(local\/src\/testing|identity-provider\/src\/test)\//.test(file),
  )

/** `process.env['X']`, `import.meta.env['X']`, `environment['X']`, `env['X']` and `backingUrl(…, 'X')`. */
function namesIn(source: string): string[] {
  const reads = source.matchAll(/(?:\benv|\benvironment)\['([A-Z][A-Z0-9_]+)'\]|backingUrl\([^)]*?'([A-Z_]+)'\)/g)
  return [...reads].flatMap(([, name, backing]) => name ?? backing ?? [])
}
