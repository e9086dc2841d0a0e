import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(source, file), 'utf8')

/** Class names that a stylesheet defines: blocks are cut out, from the innermost one on. */
function classesIn(css: string): Set<string> {
  let selectors = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/:global\([^)]*\)/g, '')
  const names = new Set<string>()
  for (let before = ''; before !== selectors; ) {
    before = selectors
    selectors = selectors.replaceAll(/([^{};]*)\{[^{}]*\}/g, (_, selector: string) => {
      for (const [, name = ''] of selector.matchAll(/\.([A-Za-z][\w-]*)/g)) names.add(name)
      return ''
    })
  }
  return names
}

test('every class that a component names is in its stylesheet, and the other way round', () => {
  const named = new Map<string, Set<string>>()
  const open = new Set<string>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: source })) {
    const text = read(file)
    for (const [, variable = '', path = ''] of text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
      const sheet = join(dirname(file), path)
      const names = named.get(sheet) ?? new Set()
      for (const [, name = ''] of text.matchAll(new RegExp(`\\b${variable}\\['([\\w-]+)'\\]`, 'g'))) names.add(name)
      named.set(sheet, names)
      // One whose names are made when it runs may use any.
      if (new RegExp(`\\b${variable}\\[(?!')`).test(text)) open.add(sheet)
    }
  }
  const sheets = globSync('**/*.module.css', { cwd: source })
  expect(sheets.length).toBeGreaterThan(50)
  const faults = sheets.flatMap((sheet) => {
    const names = named.get(sheet) ?? new Set()
    const classes = classesIn(read(sheet))
    const missing = [...names].filter((name) => !classes.has(name)).map((name) => `${sheet} lacks .${name}`)
    const unused = [...classes].filter((name) => !names.has(name)).map((name) => `${sheet}: nothing uses .${name}`)
    return [...missing, ...(open.has(sheet) ? [] : unused)]
  })
  expect(faults).toEqual([])
})
