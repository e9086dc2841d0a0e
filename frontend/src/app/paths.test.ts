import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'

const source = `${import.meta.dirname}/..`
const links = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((file) =>
  file.includes('.test.')
    ? []
    : readFileSync(`${source}/${file}`, 'utf8')
        .split('\n')
        .filter((line) => /\b(to|navigate)\b|=> [`']\//.test(line))
        .flatMap((line) =>
          [...line.matchAll(/["'`](\/[a-z][\w-]*)(?=[/?"'`])/g)].map(([, path = '']) => ({ file, path })),
        ),
)

test('each link leads to a screen that there is', () => {
  const known = new Set<string>(Object.values(paths))
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ path }) => !known.has(path))).toEqual([])
})
