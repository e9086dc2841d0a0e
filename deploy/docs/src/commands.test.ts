import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')
const pages = globSync(['README.md', 'helm/parley/README.md', 'deploy/*/README.md', 'deploy/docs/**/*.md'], {
  cwd: root,
})

/** Returns what a page tells people to type: its blocks, and text in backquotes. */
const typed = (page: string) => [...read(page).matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([all]) => all)
const all = pages.flatMap((page) => typed(page).map((text) => ({ page, text })))
const found = (pattern: RegExp) =>
  all.flatMap(({ page, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ page, name })))

test('every npm script, make target and stage of the proof that a page names is there', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
  const named = found(/npm run (?:--silent )?([\w:-]+)/g)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([])

  const makefile = read('Makefile')
  const targets = new Set([...makefile.matchAll(/^(\w+):/gm)].map(([, name]) => name))
  const made = found(/(?:^|`|\n|&& )make ([a-z]+)/g)
  expect(made.length).toBeGreaterThan(5)
  expect(made.filter(({ name }) => !targets.has(name))).toEqual([])

  const proof = found(/npm run proof -- ([a-z ]+)/g)
  const stages = new Set(
    [...read('deploy/ci/src/stages.ts').matchAll(/^ {2}'?(\w+)(?:-\d+)?'?: \{/gm)].map(([, name]) => name),
  )
  expect(proof.length).toBeGreaterThan(5)
  expect(proof.flatMap(({ name }) => name.trim().split(' ')).filter((name) => !stages.has(name))).toEqual([])
})

test('no page starts our own sources with the machine’s Node, which may be too old for them', () => {
  // The images have our own Node.
  const started = found(/(?:^|`|\n|&& )node ((?:deploy|bff|packages)\/\S+\.ts)/g)
  expect(started).toEqual([])
})

test('every file of ours that a page links to is there', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => ({ page, target })),
  )
  expect(links.length).toBeGreaterThan(50)
  const folder = (page: string) => page.split('/').slice(0, -1).join('/')
  expect(links.filter(({ page, target }) => !existsSync(`${root}/${folder(page)}/${target}`))).toEqual([])
})
