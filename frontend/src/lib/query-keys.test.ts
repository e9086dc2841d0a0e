import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))

/** Matches a key written where it is used, unknown to code that changes the record elsewhere. */
const literalKey = /queryKey: \[|queryKey\[\d\]|\w+Keys = \{/

test.each(["queryKey: ['contacts']", "queryKey[0] === 'contacts'", "const tagKeys = { all: ['tags'] }"])(
  '%s is found',
  (text) => expect(literalKey.test(text)).toBe(true),
)

test('query keys are written in one file', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|query-keys\.ts$/.test(path),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((path) => literalKey.test(readFileSync(`${source}/${path}`, 'utf8')))).toEqual([])
})
