import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { reportsFolder, root } from './paths.ts'

/** Result of a stage, read from its JUnit report. */
export interface Report {
  readonly name: string
  readonly seconds: number
  readonly passed: number
  /** Failures, each with the first line of its reason. */
  readonly failures: readonly string[]
  /** Files of the failed tests. */
  readonly failedFiles: readonly string[]
  readonly skipped: number
  /** Reasons why tests were skipped, each once. */
  readonly reasons: readonly string[]
}

const nodeSchema = z.object({ message: z.string().optional(), '#text': z.string() })
const caseSchema = z.object({
  name: z.string(),
  classname: z.string().default(''),
  failure: z.array(nodeSchema).default([]),
  error: z.array(nodeSchema).default([]),
  skipped: z.array(nodeSchema).default([]),
  properties: z
    .object({ property: z.array(z.object({ name: z.string(), value: z.string().default('') })).default([]) })
    .default({ property: [] }),
})
const reportSchema = z.object({
  testsuites: z.object({
    time: z.coerce.number().default(0),
    testsuite: z.array(z.object({ testcase: z.array(caseSchema).default([]) })).default([]),
  }),
})

const lists = new Set(['testsuite', 'testcase', 'failure', 'error', 'skipped', 'property'])
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  // An element without attributes would be a plain text else.
  alwaysCreateTextNode: true,
  isArray: (name) => lists.has(name),
})

export const reportFile = (name: string) => join(reportsFolder, `${name}.xml`)

/** Report of the failed test files of a stage, run once more. */
export const secondReportFile = (name: string) => join(reportsFolder, `${name}${secondSuffix}`)

const secondSuffix = '.second.xml'

/** Reads a JUnit report as Vitest and Playwright write it. @throws where the text is none. */
export function parseReport(name: string, xml: string): Report {
  const { testsuites } = reportSchema.parse(parser.parse(xml))
  const cases = testsuites.testsuite.flatMap(({ testcase }) => testcase)
  const broken = cases.filter(({ failure, error }) => failure.length + error.length > 0)
  const skipped = cases.filter((one) => one.skipped.length > 0 && !broken.includes(one))
  const reasons = skipped.flatMap(({ skipped: [node], properties: { property } }) => [
    ...property.flatMap(({ name: kind, value }) => (kind === 'skip' && value ? [value] : [])),
    ...(node?.message ? [node.message] : []),
  ])
  return {
    name,
    seconds: testsuites.time,
    passed: cases.length - broken.length - skipped.length,
    failures: broken.map((one) => {
      const nodes = [...one.failure, ...one.error]
      return `${locationOf(one.classname, nodes)} › ${one.name}: ${firstLine(nodes)}`
    }),
    failedFiles: [...new Set(broken.map(({ classname }) => classname))],
    skipped: skipped.length,
    reasons: [...new Set(reasons)],
  }
}

/** Counts failed tests that passed at the second try as skipped, and names them. */
export function withSecondTry(first: Report, second: Report): Report {
  // The reason of a failure may change from one try to the next.
  const test = (failure: string) => failure.split(': ', 1)[0] ?? failure
  const failedAgain = new Set(second.failures.map(test))
  const passedLater = first.failures.map(test).filter((name) => !failedAgain.has(name))
  const reasons = passedLater.map((name) => `${name} passed at the second try`)
  return {
    ...first,
    failures: second.failures,
    failedFiles: second.failedFiles,
    skipped: first.skipped + passedLater.length,
    reasons: [...first.reasons, ...reasons],
  }
}

/** Reads the report of a stage, with that of its second try where there was one. */
export function readReport(name: string): Report {
  const first = parseReport(name, readFileSync(reportFile(name), 'utf8'))
  const second = secondReportFile(name)
  return existsSync(second) ? withSecondTry(first, parseReport(name, readFileSync(second, 'utf8'))) : first
}

/** Reads all reports that stages have left, in the order in which they ended. */
export const readReports = (): Report[] =>
  readdirSync(reportsFolder)
    .filter((file) => file.endsWith('.xml') && !file.endsWith(secondSuffix))
    .map((file) => readReport(file.replace(/\.xml$/, '')))

/** Writes the report of what is one test by itself: a command, or a stage that could not run. */
export function writeReport(name: string, { seconds = 0, failure = '', skipped = '' }): void {
  const outcome = failure ? { failure: { '@message': failure } } : skipped ? { skipped: { '@message': skipped } } : {}
  const testcase = { '@name': name, '@classname': 'stage', ...outcome }
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' })
  const text = builder.build({ testsuites: { '@time': String(seconds), testsuite: { '@name': name, testcase } } })
  writeFileSync(reportFile(name), String(text))
}

/** An error outside of any test has no file of its own: the first line of the trace says where it was. */
function locationOf(classname: string, nodes: readonly z.infer<typeof nodeSchema>[]): string {
  if (classname !== 'vitest unhandled errors') return classname
  return /❯.* (\S+:\d+):\d+/.exec(nodes.map((node) => node['#text']).join('\n'))?.[1] ?? classname
}

/** Playwright's message is the location of the test; the error is in the text. */
function firstLine(nodes: readonly z.infer<typeof nodeSchema>[]): string {
  const lines = nodes.flatMap((node) => stripVTControlCharacters(`${node['#text']}\n${node.message ?? ''}`).split('\n'))
  const written = lines.map((line) => line.trim()).filter(Boolean)
  const found = written.find((line) => /^[\w.]*Error\b|^Test timeout/.test(line)) ?? written[0] ?? 'no message'
  return found.replaceAll(`${relative('/', root)}/`, '')
}

/** Returns the first line of a command's output that mentions an error, else its last. */
export function errorLine(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean)
  return lines.find((text) => /error|fail|cannot|✘|✗/i.test(text)) ?? lines.at(-1) ?? 'no output'
}

/** Returns the tests that failed and then passed, as Playwright lists them below `1 flaky`. */
export function passedAtSecondTry(output: string): string[] {
  const listed = /\n +\d+ flaky\n((?: {4}.+\n?)+)/.exec(stripVTControlCharacters(output))?.[1]?.split('\n') ?? []
  return listed.map((name) => name.trim()).filter(Boolean)
}
