import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deployedNames } from '@parley/processes/processes'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

test('the page on metrics lists every metric that the code declares, and no other', () => {
  const sources = globSync(['packages/service-kit/src/**/*.ts', 'services/*/src/**/*.ts', 'bff/src/**/*.ts'], {
    cwd: root,
  })
  const code = sources.filter((file) => !/\.test\.ts$|\/test(ing)?\//.test(file)).map(read)
  const declared = code.flatMap((text) => found(text, /name: '([a-z]+(?:_[a-z]+)+)',\s+help:/g))
  const [, section = ''] = /## Metrics\n([\s\S]*?)\n## /.exec(read('deploy/docs/operations/observability.md')) ?? []
  const listed = found(section, /^\| `([a-z_]+)`/gm)
  expect(declared.length).toBeGreaterThan(25)
  expect(declared.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => !declared.includes(name))).toEqual([])
})

test('pages ask pods of processes that there are', () => {
  const pages = globSync(['deploy/docs/**/*.md', 'helm/parley/README.md'], { cwd: root })
  const named = pages.flatMap((page) => found(read(page), /deploy(?:ment)?\/parley-([a-z-]+)/g))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !deployedNames.some((deployed) => deployed === name))).toEqual([])
})
